/** Keeps the texts of answers by address, up to so many bytes. Removes the least recently used first. */
export class AnswerStore {
  readonly #answers = new Map<string, { etag: string; text: string }>()
  readonly #most: number
  #used = 0

  constructor(most: number) {
    this.#most = most
  }

  find(url: string): { etag: string; text: string } | undefined {
    const answer = this.#answers.get(url)
    if (answer) {
      this.#answers.delete(url)
      this.#answers.set(url, answer)
    }
    return answer
  }

  keep(url: string, etag: string | null, text: string): void {
    this.#drop(url)
    if (etag === null || sizeOf(url, text) > this.#most) return
    this.#answers.set(url, { etag, text })
    this.#used += sizeOf(url, text)
    for (const oldest of this.#answers.keys()) {
      if (this.#used <= this.#most) break
      this.#drop(oldest)
    }
  }

  #drop(url: string): void {
    const answer = this.#answers.get(url)
    if (!answer) return
    this.#used -= sizeOf(url, answer.text)
    this.#answers.delete(url)
  }
}

// Engines keep a text in one or two bytes a character.
const sizeOf = (url: string, text: string) => 2 * (url.length + text.length)
