import { readFileSync } from 'node:fs'
import path from 'node:path'

type Rule = { strip: string; add: string; ends: RegExp }

/**
 * The words of a hunspell dictionary (`index.aff`, `index.dic` in the folder) in lower case, each with the forms that a suffix
 * makes of it, and those forms with the word. Pairs of which `used` has neither are left out: Hungarian has too many.
 */
export function readForms(folder: string, used: ReadonlySet<string>): Map<string, string[]> {
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
      // A hyphen is itself here, also between brackets.
      const pattern = new RegExp(`${ends.replaceAll('-', '\\-')}$`)
      const rule = { strip: bare(strip), add: bare(add), ends: pattern }
      const known = rules.get(name)
      if (known) known.push(rule)
      else rules.set(name, [rule])
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
    const [written = '', named] = line.split(/\s/, 1)[0]!.split('/')
    if (named === undefined || !/^\p{L}+$/u.test(written)) continue
    const word = written.toLowerCase()
    const isUsed = used.has(word)
    if (!forms.has(word)) forms.set(word, [])
    for (const { strip, add: ending, ends } of split(named).flatMap((flag) => rules.get(flag) ?? [])) {
      if (!written.endsWith(strip) || !ends.test(written)) continue
      const form = word.slice(0, word.length - strip.length) + ending.toLowerCase()
      if (!isUsed && !used.has(form)) continue
      add(word, form)
      add(form, word)
    }
  }
  return forms
}
