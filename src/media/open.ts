import type { Config } from '../config.ts'
import type { Keyring } from '../secret.ts'
import { closeFileStore, openFileStore } from './file-store.ts'
import type { MediaStore } from './store.ts'

/** Opens the store of the settings; `publicUrl` (an origin) and `keyring` are for the URLs of a file store. */
export async function openMediaStore(
  config: Config['media'],
  options: { dataDir: string; publicUrl: string; keyring: Keyring },
): Promise<MediaStore> {
  if (config.store === 'file') {
    await closeFileStore(options.dataDir)
    return openFileStore(options)
  }
  // The AWS SDK costs 24 MB and 100 ms: only those who use it load it.
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(config)
}
