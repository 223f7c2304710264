// A path with invalid percent-encoding or a fragment is an unknown path. Escaped, it passes the same checks as any other.
function mendUrl(url: string): string {
  if (!/[%#]/.test(url)) return url
  const [path, ...query] = url.split('?')
  const unbroken = path!.replaceAll('#', '%23')
  try {
    decodeURI(unbroken)
    return [unbroken, ...query].join('?')
  } catch {
    return [unbroken.replaceAll('%', '%25'), ...query].join('?')
  }
}

// A client may send an absolute URL, as to a proxy. Answers must not repeat its host.
function stripOrigin(url: string): string {
  if (url.startsWith('/')) return url
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return path === url || path.startsWith('/') ? path : `/${path}`
}

/** The address of a request as the router takes it, and as the client wrote it, without an origin. */
export function rewriteUrl(url: string): { routed: string; original: string } {
  const original = stripOrigin(url)
  return { routed: mendUrl(original), original }
}
