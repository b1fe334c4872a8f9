import { beforeAll, expect, it } from 'vitest'
import { tryTasks } from '../bench/compare.ts'
import { branches } from '../bench/suites/branches.ts'
import { evaluation } from '../bench/suites/evaluation.ts'
import { fetchHandler } from '../bench/suites/fetch.ts'
import { flags } from '../bench/suites/flags.ts'
import { inProcess } from '../bench/suites/in-process.ts'
import { jsonPatch } from '../bench/suites/json-patch.ts'
import { policy } from '../bench/suites/policy.ts'
import { routing } from '../bench/suites/routing.ts'
import { simulation } from '../bench/suites/simulation.ts'
import { validation } from '../bench/suites/validation.ts'

// Suites that start servers, or fill large accounts, take minutes and run only as benches.
const suites = [
  branches,
  evaluation,
  fetchHandler,
  flags,
  inProcess,
  jsonPatch,
  policy,
  routing,
  simulation,
  validation,
]

beforeAll(() => tryTasks())

it.each(suites)('the suite $name of the benches runs all its cases', async (suite) => {
  const results = await suite.run()
  expect(results).not.toEqual([])
  for (const result of results) expect(result.suite).toBe(suite.name)
})
