import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem, problems, reasons, type ProblemCode } from '../problems.ts'

const style =
  'body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1rem; color: #222 } code { color: #666 }'
const securityPolicy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'`

function printPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
${content}
</html>
`
}

function printReasons(code: ProblemCode): string {
  const known = reasons.find(([problem]) => problem === code)?.[1]
  if (!known) return ''
  const lines = known.map(([reason, meaning]) => `<dt><code>${reason}</code></dt>\n<dd>${meaning}</dd>`)
  return `<h2>The reason</h2>
<p>The field <code>reason</code> has the first of these that holds. More may come.</p>
<dl>
${lines.join('\n')}
</dl>
`
}

function printProblem(code: ProblemCode): string {
  const { status, title, what, remedy, retry } = problems[code]
  const advice = retry ? 'The same request can succeed later.' : 'Sending the same request again will not help.'
  return printPage(
    title,
    `<p><code>${status} ${code}</code></p>
<h1>${title}</h1>
<h2>What happened</h2>
<p>${what}</p>
${printReasons(code)}<h2>What to do</h2>
<p>${remedy}</p>
<h2>Does it help to try again?</h2>
<p>${advice}</p>`,
  )
}

function printList(): string {
  const lines = Object.entries(problems).map(
    ([code, { status, title }]) =>
      `<li><code>${status}</code> <a href="problems/${code}">${title}</a> <code>${code}</code></li>`,
  )
  return printPage('Problems', `<h1>Problems</h1>\n<ul>\n${lines.join('\n')}\n</ul>`)
}

/** `GET /problems/<slug>`: the page of each problem type (section 7). `GET /problems` lists them. */
export function serveProblemPages(app: FastifyInstance): void {
  const send = (reply: FastifyReply, page: string) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', securityPolicy).send(page)
  const list = printList()
  app.get('/problems', { schema: { hide: true } }, (_request, reply) => send(reply, list))
  app.get<{ Params: { slug: string } }>('/problems/:slug', { schema: { hide: true } }, (request, reply) => {
    const { slug } = request.params
    if (!Object.hasOwn(problems, slug)) throw new Problem('not-found', 'There is no such kind of problem.')
    return send(reply, printProblem(slug as ProblemCode))
  })
}
