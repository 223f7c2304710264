import { fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { workerData } from 'node:worker_threads'

// A thread that keeps one processor busy, or the disk. It ends with its process, however that ends.

/** Writes a file of 64 MiB again and again, 20 MiB a second at most. It has no name, so none is left behind. */
function writeForever(): never {
  const folder = mkdtempSync(path.join(tmpdir(), 'catalogue-busy-'))
  const file = openSync(path.join(folder, 'written'), 'w')
  rmSync(folder, { recursive: true })
  const bytes = Buffer.alloc(1 << 20, 1)
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let block = 0; ; block = (block + 1) % 64) {
    writeSync(file, bytes, 0, bytes.length, block * bytes.length)
    fsyncSync(file)
    Atomics.wait(pause, 0, 0, 50)
  }
}

if (workerData === 'disk') writeForever()
for (;;);
