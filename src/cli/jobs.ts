import { Command } from 'commander'
import { listJobs, retryJob, type Job } from '../jobs/jobs.ts'
import { describeCommand, printResult, printTable, withCatalogue, type CommonOptions } from './command.ts'

const describeJob = (job: Job) => [
  job.id,
  job.task,
  job.state,
  `${job.attempts}/${job.max_attempts}`,
  job.run_at,
  job.last_error?.split('\n', 1)[0] ?? '-',
]

const list = describeCommand('list', 'List the jobs that are waiting, running or failed.')
  .option('--failed', 'only jobs whose last attempt failed')
  .action((options: CommonOptions & { failed?: boolean }) =>
    withCatalogue(async ({ db }) => {
      const jobs = await listJobs(db, { failed: options.failed ?? false })
      await printResult(jobs, options, () => printTable(jobs.map(describeJob)))
    }),
  )

const retry = describeCommand('retry', 'Run a job at once. It gets its full number of attempts again.')
  .argument('<id>', 'the id of the job')
  .action((id: string, options: CommonOptions) =>
    withCatalogue(async ({ db }) =>
      printResult(await retryJob(db, id), options, (job) => `job ${job.id} (${job.task}) will run at once`),
    ),
  )

/** `catalogue jobs …` */
export const jobsCommand = new Command('jobs').description('Background work.').addCommand(list).addCommand(retry)
