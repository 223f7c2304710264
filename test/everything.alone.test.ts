// The statements and the changes of one service that has done everything: that takes longer than the tests of both.
await import('./everything/distribution.ts')
await import('./everything/journal.ts')
