import { cpus, totalmem } from 'node:os'
import type { Comparison, Result, Suite } from './compare.ts'
import type { Footprint } from './footprint.ts'
import type { Latency } from './latency.ts'

/** Returns the results as a Markdown page. */
export function reportOf(suites: readonly Suite[], results: readonly Result[]): string {
  const [cpu] = cpus()
  const machine = `${cpu?.model ?? 'unknown processor'}, ${cpus().length} threads, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const parts = suites.map((suite) =>
    section(
      suite,
      results.filter((result) => result.suite === suite.name),
    ),
  )
  return `# Bench results\n\nMeasured with tinybench on ${machine}. Each case and its peer ran in alternation in one process;\nresults are medians of rounds. Compare ratios, not absolute numbers. Latencies have no peer.\n\n${parts.join('\n')}`
}

/** Returns one result as a line of text. */
export function resultText(result: Result): string {
  if ('p50Ms' in result) {
    const { storage, p50Ms, p99Ms, calls } = result
    return `${result.case} on ${storage}: p50 ${p50Ms} ms, p99 ${p99Ms} ms, ${calls} calls`
  }
  if ('residentKB' in result) {
    const { residentKB, heapKB, peer, peerResidentKB, peerHeapKB } = result
    return `${result.case}: ${residentKB} kB resident, ${heapKB} kB heap; ${peer} ${peerResidentKB} and ${peerHeapKB} kB`
  }
  const { opsPerSecond, peer, peerOpsPerSecond, ratio } = result
  return `${result.case}: ${opsPerSecond}/s, ${peer} ${peerOpsPerSecond}/s, ratio ${ratio}`
}

function section(suite: Suite, results: readonly Result[]): string {
  const latencies = results.filter((result): result is Latency => 'p50Ms' in result)
  const comparisons = results.filter((result): result is Comparison => 'ratio' in result)
  const footprints = results.filter((result): result is Footprint => 'residentKB' in result)
  return [
    `## ${suite.name}`,
    '',
    suite.about,
    '',
    ...(comparisons.length > 0 ? comparisonTable(comparisons) : []),
    ...(latencies.length > 0 ? latencyTable(latencies) : []),
    ...(footprints.length > 0 ? footprintTable(footprints) : []),
  ].join('\n')
}

function comparisonTable(comparisons: readonly Comparison[]): string[] {
  const rows = comparisons.map(
    (result) =>
      `| ${result.case} | ${result.opsPerSecond} | ${result.peer} | ${result.peerOpsPerSecond} | ${result.ratio} |`,
  )
  return ['| case | per second | peer | per second | ratio |', '|---|---:|---|---:|---:|', ...rows, '']
}

function footprintTable(footprints: readonly Footprint[]): string[] {
  const rows = footprints.map(
    (result) =>
      `| ${result.case} | ${result.residentKB} | ${result.heapKB} | ${result.peer} | ${result.peerResidentKB} | ${result.peerHeapKB} |`,
  )
  return ['| case | kB | heap kB | peer | kB | heap kB |', '|---|---:|---:|---|---:|---:|', ...rows, '']
}

/** Returns one row for each case, with two columns for each storage. */
function latencyTable(latencies: readonly Latency[]): string[] {
  const storages = [...new Set(latencies.map(({ storage }) => storage))]
  const cases = [...new Set(latencies.map((result) => result.case))]
  const cellsOf = (name: string, storage: string) => {
    const latency = latencies.find((result) => result.case === name && result.storage === storage)
    return [latency?.p50Ms ?? '', latency?.p99Ms ?? '']
  }
  const tableRow = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`
  return [
    tableRow(['case', ...storages.flatMap((storage) => [`${storage} p50 ms`, `${storage} p99 ms`])]),
    `|---|${'---:|'.repeat(2 * storages.length)}`,
    ...cases.map((name) => tableRow([name, ...storages.flatMap((storage) => cellsOf(name, storage))])),
    '',
  ]
}
