import { readFileSync } from 'node:fs'
import path from 'node:path'
import { errorTable } from '@halyard/core/operations'
import { beforeAll, describe, expect, it } from 'vitest'
import { limitRows } from './limits/attempts.ts'
import { innerLimits } from './limits/inner-limits.ts'
import { type LimitStage, limitStage } from './limits/limit-stage.ts'
import { publishedLimits } from './limits/published-limits.ts'
import { sourceLimits } from './limits/source-limits.ts'
import { root } from './source-imports.ts'

const guide = readFileSync(path.join(root, 'docs/guide/errors-and-limits.md'), 'utf8')

/** Rows of the tables of limits: the limited value, the limit, and the status and code of the response beyond it. */
const rows = [...guide.matchAll(/^\| ([^|]+) \| (\d+) \| (?:(\d{3}) `(\w+)`|the rest is left out) \|$/gm)].map(
  ([, what, most, status, code]) => ({ what: what as string, most: Number(most), status: Number(status), code }),
)

let stage: LimitStage

beforeAll(async () => {
  stage = await limitStage()
})

describe('the guide to errors and limits', () => {
  it('lists every error code with its status', () => {
    const named = Object.fromEntries(
      [...guide.matchAll(/^\| `(\w+)` \| (\d{3})[^|]* \|/gm)].map(([, code, status]) => [code, Number(status)]),
    )
    expect(named).toEqual(Object.fromEntries(Object.entries(errorTable).map(([code, { status }]) => [code, status])))
  })

  it('has exactly one row, with the right number, for every limit in the code', () => {
    expect(rows.map(({ what }) => what).sort()).toEqual(Object.keys(limitRows).sort())
    const told = new Map(rows.flatMap(({ what, most }) => (limitRows[what]?.sources ?? []).map((id) => [id, most])))
    const found = sourceLimits()
    expect(found.length).toBeGreaterThan(90)
    const untold = found.filter(({ id }) => !told.has(id) && !(id in innerLimits)).map(({ id }) => id)
    expect(untold, 'add a row to the guide and an attempt to its test, or list it among the inner limits').toEqual([])
    const known = new Map(found.map(({ id, value }) => [id, value]))
    for (const [id, most] of told) expect([id, known.get(id)]).toEqual([id, most])
    expect(Object.keys(innerLimits).filter((id) => !known.has(id) || told.has(id))).toEqual([])
  })

  it.each(rows.filter(({ what }) => limitRows[what]?.attempt))('a request at the limit of $limit is accepted and one beyond it refused: $label', async (row) => {
    const { attempt } = limitRows[row.what] as (typeof limitRows)[string]
    const within = await attempt?.(stage, row.most)
    const beyond = await attempt?.(stage, row.most + 1)
    expect([beyond?.status, beyond?.body.code], JSON.stringify(beyond?.body)).toEqual([row.status, row.code])
    // A failed `test` operation shows that the patch was read, which is all that limits of patches concern.
    expect([200, 201, 204, 409], JSON.stringify(within?.body).slice(0, 300)).toContain(within?.status)
  })
})

describe('limits of texts and lists in openapi.json', () => {
  const limits = publishedLimits()

  it('are found by the test', () => {
    expect(limits.length).toBeGreaterThan(150)
  })

  it('are enforced by every operation', async () => {
    const broken: string[] = []
    for (const { operation, method, path: template, attribute, most, body } of limits) {
      const { status, body: told } = await stage.send(method, template, { body })
      const fault = told.errors?.find((one) => one.attribute === attribute && one.reason.includes(String(most)))
      if (status !== 400 || !fault)
        broken.push(`${operation} ${attribute} ${most}: ${status} ${JSON.stringify(told).slice(0, 200)}`)
    }
    expect(broken).toEqual([])
  })
})
