import { once } from 'node:events'

/** The settings of a process for `openInspector`: Node's inspector on this port. */
export const inspected = (port: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--inspect=127.0.0.1:${port} --inspect-publish-uid=http`,
})

/** Connects to the inspector of a process. */
export async function openInspector(port: number) {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  const socket = new WebSocket((targets as { webSocketDebuggerUrl: string }[])[0]!.webSocketDebuggerUrl)
  await once(socket, 'open')
  let calls = 0

  async function call(method: string, params: object = {}): Promise<unknown> {
    socket.send(JSON.stringify({ id: ++calls, method, params }))
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent]
    return (JSON.parse(String(data)) as { result: unknown }).result
  }

  return {
    /**
     * Collects the garbage of the process. Returns the remaining memory in MiB: its objects, and their memory outside
     * of the heap.
     */
    async measureHeld(): Promise<{ objects: number; external: number }> {
      // A collection may free buffers only after the next one.
      for (let time = 0; time < 3; time++) await call('HeapProfiler.collectGarbage')
      const expression = 'JSON.stringify(process.memoryUsage())'
      const { result } = (await call('Runtime.evaluate', { expression })) as { result: { value: string } }
      const { heapUsed, external } = JSON.parse(result.value) as NodeJS.MemoryUsage
      return { objects: heapUsed / 1024 ** 2, external: external / 1024 ** 2 }
    },
    close: () => socket.close(),
  }
}
