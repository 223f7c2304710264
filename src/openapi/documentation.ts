import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { catalogueInterface, staffInterface } from './interfaces.ts'

const shown = [catalogueInterface, staffInterface].map(({ prefix, title }) => ({
  path: `${prefix}/openapi.json`,
  title,
}))

// Replaces the plugin's own start script, which reads and shows /docs/json.
const startScript = `const { src } = document.currentScript
window.onload = () => SwaggerUIBundle({
  urls: ${JSON.stringify(shown)}.map(({ path, title }) => ({ url: new URL('../../..' + path, src).href, name: title })),
  dom_id: '#swagger-ui',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  deepLinking: true,
  docExpansion: 'list',
  validatorUrl: null,
})
`

/** Serves the page /docs, which shows the OpenAPI documents. */
export async function serveDocumentation(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: catalogueInterface.title, js: [{ filename: 'start.js', content: startScript }] },
    // No upgrade-insecure-requests: it breaks the page on a service without HTTPS.
    staticCSP:
      "default-src 'self'; base-uri 'self'; font-src 'self' data:; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; style-src 'self' 'unsafe-hashes' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  })
}
