import { useState } from 'react'
import { Button, DropZone, FileTrigger, isFileDropItem } from 'react-aria-components'
import { useTexts } from '../texts/texts.tsx'
import type { Picture } from './uploads.tsx'
import '../styles/pictures.css'

const types = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/tiff', 'image/gif']

/** A telephone calls each photograph that it takes the same: it is named after the moment. */
function nameTaken(file: File): File {
  const moment = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 19)
  return new File([file], `${moment}.${file.name.split('.').pop()}`, { type: file.type })
}

/** Takes pictures that are dropped, chosen, or taken with a telephone. */
export function PictureDrop({ onPictures }: { onPictures: (pictures: Picture[]) => void }) {
  const texts = useTexts()
  const [isPrivate, setPrivate] = useState(false)
  const take = (files: Iterable<File>) => onPictures([...files].map((file) => ({ file, isPublic: !isPrivate })))
  return (
    <DropZone
      className="drop"
      aria-label={texts.drop}
      getDropOperation={() => 'copy'}
      onDrop={({ items }) => void Promise.all(items.filter(isFileDropItem).map((each) => each.getFile())).then(take)}
    >
      <span>{texts.drop}</span>
      <FileTrigger allowsMultiple acceptedFileTypes={types} onSelect={(files) => files && take(files)}>
        <Button>{texts.choose}</Button>
      </FileTrigger>
      <span className="camera">
        <FileTrigger
          defaultCamera="environment"
          acceptedFileTypes={types}
          onSelect={(files) => files && take([...files].map(nameTaken))}
        >
          <Button>{texts.takePhotograph}</Button>
        </FileTrigger>
      </span>
      <label className="check">
        <input type="checkbox" checked={isPrivate} onChange={({ target }) => setPrivate(target.checked)} />
        {texts.uploadPrivate}
      </label>
    </DropZone>
  )
}
