import { readFileSync } from 'node:fs'
import path from 'node:path'

type Rule = { strip: string; add: string; ends: RegExp }

/**
 * The forms of words after a hunspell dictionary (`index.aff`, `index.dic` in the folder), in lower case: for each word the
 * forms that a suffix makes, and for each of those the word.
 */
export function readForms(folder: string): Map<string, string[]> {
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8').split(/\r?\n/)
  const rules = new Map<string, Rule[]>()
  const aliases: string[] = []
  let flags = 'short'
  for (const line of read('index.aff')) {
    const [kind, name = '', strip = '', add = '', ends = '.'] = line.split(/\s+/)
    if (kind === 'FLAG') flags = name
    else if (kind === 'AF') aliases.push(name)
    else if (kind === 'SFX' && line.split(/\s+/).length > 4) {
      const bare = (part: string) => part.split('/')[0]!.replace(/^0$/, '')
      const rule = { strip: bare(strip), add: bare(add), ends: new RegExp(`${ends}$`) }
      rules.set(name, [...(rules.get(name) ?? []), rule])
    }
  }
  const split = (written: string) => {
    // The first alias says how many there are.
    const all = aliases.length > 0 ? (aliases[Number(written)] ?? '') : written
    return flags === 'num' ? all.split(',') : flags === 'long' ? (all.match(/../g) ?? []) : all.split('')
  }
  const forms = new Map<string, string[]>()
  const add = (word: string, form: string) => {
    const known = forms.get(word)
    if (!known) forms.set(word, [form])
    else if (!known.includes(form)) known.push(form)
  }
  for (const line of read('index.dic').slice(1)) {
    const [word = '', written] = line.split(/\s/, 1)[0]!.split('/')
    if (written === undefined || !/^\p{L}+$/u.test(word)) continue
    for (const { strip, add: ending, ends } of split(written).flatMap((flag) => rules.get(flag) ?? [])) {
      if (!word.endsWith(strip) || !ends.test(word)) continue
      const form = word.slice(0, word.length - strip.length) + ending
      add(word.toLowerCase(), form.toLowerCase())
      add(form.toLowerCase(), word.toLowerCase())
    }
  }
  return forms
}
