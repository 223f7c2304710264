import type { Config } from '../settings/config.ts'
import type { Keyring } from '../settings/secret.ts'
import { closeFileStore, openFileStore } from './file-store.ts'
import type { MediaStore } from './store.ts'

/** Opens the store that the settings name. `publicUrl` (an origin) and `keyring` are for the URLs of a file store. */
export async function openMediaStore(
  config: Config['media'],
  options: { dataDir: string; publicUrl: string; keyring: Keyring },
): Promise<MediaStore> {
  if (config.store === 'file') {
    await closeFileStore(options.dataDir)
    return openFileStore(options)
  }
  // The AWS SDK costs 24 MB and 100 ms, so only an S3 store loads it.
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(config)
}
