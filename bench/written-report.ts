import { cpus, totalmem } from 'node:os'
import type { Comparison, Suite } from './compare.ts'

/** The figures as a page to read. */
export function writtenReport(suites: readonly Suite[], results: readonly Comparison[]): string {
  const [cpu] = cpus()
  const machine = `${cpu?.model ?? 'unknown processor'}, ${cpus().length} threads, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const parts = suites.map((suite) =>
    section(
      suite,
      results.filter((result) => result.suite === suite.name),
    ),
  )
  return `# Bench results\n\nMeasured with tinybench on ${machine}. Each case and its peer ran turn by turn in one process;\nthe figures are medians of rounds. Compare ratios, not absolute figures.\n\n${parts.join('\n')}`
}

function section(suite: Suite, results: readonly Comparison[]): string {
  const rows = results.map(
    (one) => `| ${one.case} | ${one.opsPerSecond} | ${one.peer} | ${one.peerOpsPerSecond} | ${one.ratio} |`,
  )
  return [
    `## ${suite.name}`,
    '',
    suite.about,
    '',
    '| case | per second | peer | per second | ratio |',
    '|---|---:|---|---:|---:|',
    ...rows,
    '',
  ].join('\n')
}
