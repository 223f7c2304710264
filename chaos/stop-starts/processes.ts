import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const sampleMilliseconds = 10

/** A process, with the time of its start: a later process may have its number. */
async function identify(pid: string): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return stat === '' || state === 'Z' ? undefined : `${pid} ${fields[18]}`
}

async function descendants(pid: number): Promise<string[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const own = children.split(' ').filter((each) => each !== '')
  return [...own, ...(await Promise.all(own.map((each) => descendants(Number(each))))).flat()]
}

/** Records all processes below one, until `end`. `findLeft` returns those that still run. */
export function watchProcesses(pid: number) {
  const seen = new Set<string>()
  const ending = new AbortController()
  const watch = async () => {
    while (!ending.signal.aborted) {
      for (const each of await descendants(pid)) {
        const found = await identify(each)
        if (found !== undefined) seen.add(found)
      }
      await sleep(sampleMilliseconds)
    }
  }
  const watching = watch()
  return {
    end: () => {
      ending.abort()
      return watching
    },
    async findLeft(): Promise<string[]> {
      const left: string[] = []
      for (const each of seen) if ((await identify(each.split(' ')[0]!)) === each) left.push(each)
      return left
    },
  }
}

/** The processes that work in a folder or have files of it open. */
export async function findProcessesIn(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const files = (await readdir(`/proc/${pid}/fd`).catch(() => [])).map((name) => `fd/${name}`)
    const links = await Promise.all(['cwd', ...files].map((name) => readlink(`/proc/${pid}/${name}`).catch(() => '')))
    if (links.some((link) => link.startsWith(folder))) found.push(pid)
  }
  return found
}
