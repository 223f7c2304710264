// The random changes of gallery.test.ts, more of them.
process.env.GALLERY_RUNS ??= '100'
await import('./gallery.test.ts')
