import { Command } from 'commander'
import { describeCommand, printResult, utcOption, withCatalogue, type CommonOptions } from '../command.ts'
import { printList } from '../table.ts'
import { printTime } from '../times.ts'

const list = describeCommand('list', 'List the jobs that are waiting, running or failed.')
  .option('--failed', 'only jobs whose last attempt failed')
  .option(...utcOption)
  .action((options: CommonOptions & { failed?: boolean }) =>
    withCatalogue(async ({ db }) => {
      const { listJobs } = await import('../../jobs/jobs.ts')
      const jobs = await listJobs(db, { failed: options.failed ?? false })
      await printList(jobs, 'job', options, [
        { heading: 'id', show: (job) => job.id },
        { heading: 'task', show: (job) => job.task },
        { heading: 'state', show: (job) => job.state },
        { heading: 'attempts', kind: 'number', show: (job) => `${job.attempts}/${job.max_attempts}` },
        { heading: 'progress', show: (job) => job.progress ?? '-' },
        { heading: 'runs', show: (job) => printTime(job.run_at, options) },
        { heading: 'error', kind: 'text', show: (job) => job.last_error?.split('\n', 1)[0] ?? '-' },
      ])
    }),
  )

const retry = describeCommand('retry', 'Run a job at once. It gets its full number of attempts again.')
  .argument('<id>', 'the id of the job')
  .action((id: string, options: CommonOptions) =>
    withCatalogue(async ({ db }) => {
      const { retryJob } = await import('../../jobs/jobs.ts')
      await printResult(await retryJob(db, id), options, (job) => `job ${job.id} (${job.task}) will run at once`)
    }),
  )

/** `catalogue jobs …` */
export const jobsCommand = new Command('jobs').description('Background work.').addCommand(list).addCommand(retry)
