import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Result, Suite } from './compare.ts'
import { reportOf, resultText } from './report.ts'
import { branches } from './suites/branches.ts'
import { cachedReads } from './suites/cached-reads.ts'
import { changes } from './suites/changes.ts'
import { evaluation } from './suites/evaluation.ts'
import { fetchHandler } from './suites/fetch.ts'
import { flags } from './suites/flags.ts'
import { growth } from './suites/growth.ts'
import { inProcess } from './suites/in-process.ts'
import { ingestion } from './suites/ingestion.ts'
import { jsonPatch } from './suites/json-patch.ts'
import { leadTime } from './suites/lead-time.ts'
import { leadTimeHistory } from './suites/lead-time-history.ts'
import { lists } from './suites/lists.ts'
import { measurements } from './suites/measurements.ts'
import { operations } from './suites/operations.ts'
import { pageChanges } from './suites/pages.ts'
import { past } from './suites/past.ts'
import { policy } from './suites/policy.ts'
import { routing } from './suites/routing.ts'
import { simulation } from './suites/simulation.ts'
import { start } from './suites/start.ts'
import { storages } from './suites/storages.ts'
import { streams } from './suites/streams.ts'
import { tenants } from './suites/tenants.ts'
import { unleash } from './suites/unleash.ts'
import { validation } from './suites/validation.ts'

const suites: readonly Suite[] = [
  inProcess,
  flags,
  fetchHandler,
  cachedReads,
  policy,
  jsonPatch,
  leadTime,
  leadTimeHistory,
  ingestion,
  measurements,
  operations,
  growth,
  lists,
  past,
  branches,
  changes,
  start,
  storages,
  evaluation,
  simulation,
  routing,
  validation,
  streams,
  pageChanges,
  tenants,
  unleash,
]

const file = new URL('results.json', import.meta.url)

/** Runs the suites named on the command line, or all, prints each result, and writes results.json and results.md. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name))
  if (unknown.length > 0) {
    console.error(`unknown suite ${unknown.join(', ')}; the suites are ${suites.map((suite) => suite.name).join(', ')}`)
    process.exitCode = 1
    return
  }
  const selected = suites.filter((suite) => names.length === 0 || names.includes(suite.name))
  const outcomes = new Map<string, readonly Result[]>()
  for (const suite of selected) {
    console.log(`\n${suite.name}: ${suite.about}`)
    const results = await suite.run()
    for (const result of results) console.log(`  ${resultText(result)}`)
    outcomes.set(suite.name, results)
    write(outcomes)
  }
}

/** Writes both reports after every suite, so that the results of an interrupted run are kept. */
function write(outcomes: ReadonlyMap<string, readonly Result[]>): void {
  const earlierResultsOfFile = earlierResults()
  const allResults = suites.flatMap(
    ({ name }) => outcomes.get(name) ?? earlierResultsOfFile.filter((result) => result.suite === name),
  )
  writeFileSync(file, `${JSON.stringify(allResults, null, 2)}\n`)
  writeFileSync(new URL('results.md', import.meta.url), reportOf(suites, allResults))
}

/** Returns the stored results, which stay in the report for suites that do not run now. */
function earlierResults(): Result[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

await main(process.argv.slice(2).filter((argument) => argument !== '--'))
