import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { printHead, type Head } from './head.ts'
import { html, Html } from './html.ts'
import type { Site } from './site.ts'

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')
const hash = (text: string) => createHash('sha256').update(text).digest('base64')
// In the page itself, the style costs no request before the first picture.
const style = read('style.css')

/** The script of the page of a lot. Its address changes with it. */
export const magnifier = read('magnifier.js')
export const magnifierPath = `/magnifier.js?${hash(magnifier).replaceAll(/\W/g, '').slice(0, 12)}`

/** The signs that a visitor can search for. */
export const longestQuestion = 200

/** What a page may load: its style, the scripts of this site, and pictures from where its pictures are. */
export function printPolicy(page: string): string {
  const origins = new Set([...page.matchAll(/<img\s[^>]*?\ssrc="(https?:\/\/[^/"]+)/g)].map(([, origin]) => origin))
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash(style)}'`,
    "script-src 'self'",
    `img-src ${["'self'", ...origins].join(' ')}`,
    // Some programs that judge pages read robots.txt from within.
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** A page. The name of the house is the heading of the page that has it as its title. */
export function printPage(site: Site, title: string, head: Head, body: Html, question = ''): string {
  const { text } = html`<!doctype html>
    <html lang="${site.language}">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      ${printHead(title, head, site)} ${new Html(`<style>${style}</style>`)}
      <header>
        ${title === site.name ? html`<h1 class="house">${title}</h1>` : html`<a class="house" href="/">${site.name}</a>`}
        <form action="/search" role="search">
          <input
            type="search"
            name="q"
            value="${question}"
            maxlength="${longestQuestion}"
            aria-label="${site.say('search')}"
            placeholder="${site.say('search')}"
          />
        </form>
      </header>
      <main>${body}</main>
      <footer><a href="/">${site.say('salesOf', site.name)}</a> <a href="/search">${site.say('all')}</a></footer>
    </html> `
  return text
}

/** The page of a failure. */
export const printFailure = (title: string, site: Site): string =>
  printPage(site, title, { path: '/', description: title, isHidden: true }, html`<h1>${title}</h1>`)
