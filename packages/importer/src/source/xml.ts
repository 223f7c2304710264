import type { Readable } from 'node:stream'
import sax from 'sax'

/** Handlers for the elements and texts of a document. Element names come without their prefix. */
export type Handlers = {
  open?(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

/** An attribute by its name, with or without a prefix. */
export const attribute = (attributes: Record<string, string>, name: string): string | undefined =>
  Object.entries(attributes).find(([key]) => key === name || key.endsWith(`:${name}`))?.[1]

/**
 * Reads an XML document a piece at a time, and yields what the handlers emit. A text may come in several pieces.
 * @throws Error if the document is not well-formed, or from a handler
 */
export async function* readXml<T>(
  stream: Readable,
  createHandlers: (emit: (value: T) => void) => Handlers,
): AsyncGenerator<T> {
  let emitted: T[] = []
  const handlers = createHandlers((value) => emitted.push(value))
  const parser = sax.parser(true, { position: false })
  const localName = (name: string) => name.slice(name.indexOf(':') + 1)
  const takeText = (piece: string) => handlers.text?.(piece)
  Object.assign(parser, {
    onerror(error: Error) {
      throw error
    },
    onopentag: ({ name, attributes }: sax.Tag) => handlers.open?.(localName(name), attributes),
    onclosetag: (name: string) => handlers.close?.(localName(name)),
    ontext: takeText,
    oncdata: takeText,
  })
  const decoder = new TextDecoder()
  const take = () => {
    const taken = emitted
    emitted = []
    return taken
  }
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      parser.write(decoder.decode(piece, { stream: true }))
      yield* take()
    }
    parser.write(decoder.decode()).close()
    yield* take()
  } finally {
    stream.destroy()
  }
}
