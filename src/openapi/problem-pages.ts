import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Problem, problems, type ProblemCode } from '../problems.ts'

const style =
  'body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1rem; color: #222 } code { color: #666 }'
const securityPolicy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'`

function print(code: ProblemCode): string {
  const { status, title, what, remedy, retry } = problems[code]
  const advice = retry ? 'The same request can succeed later.' : 'Sending the same request again will not help.'
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
<p><code>${status} ${code}</code></p>
<h1>${title}</h1>
<h2>What happened</h2>
<p>${what}</p>
<h2>What to do</h2>
<p>${remedy}</p>
<h2>Does it help to try again?</h2>
<p>${advice}</p>
</html>
`
}

/** `GET /problems/<slug>`: the page of each problem type (section 7). */
export function serveProblemPages(app: FastifyInstance): void {
  app.get<{ Params: { slug: string } }>('/problems/:slug', { schema: { hide: true } }, (request, reply) => {
    const { slug } = request.params
    if (!Object.hasOwn(problems, slug)) throw new Problem('not-found', 'There is no such kind of problem.')
    reply.type('text/html; charset=utf-8').header('content-security-policy', securityPolicy)
    return reply.send(print(slug as ProblemCode))
  })
}
