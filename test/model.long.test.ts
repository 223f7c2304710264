// The histories of model.test.ts, ten times as many.
process.env.MODEL_ROUNDS ??= '10'
await import('./model.test.ts')
