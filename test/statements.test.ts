import { createEngine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CountedPool, type CountedStatement, countedPool } from './setup/counted-pool.ts'
import { createLargeAccount, dataExportRoleArn, largeNow, largeSizes } from './setup/large-account.ts'
import { type ListedCall, listedCalls } from './setup/listed-calls.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'

const storages = postgresStorages()
const schema = uniqueSchema()
let measured: readonly MeasuredCall[] = []

interface MeasuredCall extends Pick<ListedCall, 'operation' | 'expansions'> {
  readonly name: string
  /** Statements that identify the caller. */
  readonly callerStatements: readonly CountedStatement[]
  /** All other statements. */
  readonly ownStatements: readonly CountedStatement[]
  readonly rows: number
}

beforeAll(async () => {
  const storage = createPostgresStorage({ pool: storages.pool, schema })
  await storage.migrate()
  const account = await createLargeAccount(storage)
  await storages.pool.query('analyze')
  const pool = countedPool(storages.pool)
  const countedStorage = createPostgresStorage({ pool, schema })
  const engineOptions = { storage: countedStorage, clock: () => largeNow, rateLimit: false, dataExportRoleArn } as const
  // Without caches, because the limits are about uncached calls; another test counts cached reads.
  const engine = createEngine({ ...engineOptions, cache: false })
  // From the second call on, one query identifies the caller.
  await engine.api.getProject({ projectKey: 'big' }, { as: account.token })
  measured = await measure(pool, listedCalls(engine, account))
}, 120_000)

afterAll(async () => {
  await storages.pool.query(`drop schema if exists "${schema}" cascade`)
  await storages.dispose()
})

const pageSize = 20
const { webhooks, repositories, groups, temporary, variations } = largeSizes
/** Number of flags that scores read: the temporary copies, and ten more, which include the original flag. */
const flagsScored = temporary + 10

/** Maximum number of statements of an operation itself; three where nothing is listed. */
const statementsOf: Readonly<Record<string, number>> = {
  // The environment of an approval request is read for its name in the change log.
  deleteApprovalRequest: 4,
  // The searches for references to the policy: one for each kind of referrer.
  deleteReleasePolicy: 4,
  // The change log contains the names of the flag and the project, which are read.
  updateFlagLink: 4,
  // The filter runs over the segments of the environment, whose key is known only from the id in the request.
  'linkResource segments by filter': 4,
  'linkResource segments by identifiers and filter': 4,
}

/**
 * Maximum number of rows that an operation reads; ten where nothing is listed. Each number is the size of a page plus
 * the rows that its items need.
 */
const rowsOf: Readonly<Record<string, number>> = {
  // The operation reads the linked resources, the view, the project and the environment. No link exists yet.
  'linkResource flags by filter': 20,
  'linkResource flags by keys and filter': 20,
  'linkResource segments by filter': 20,
  'linkResource segments by identifiers and filter': 25,
  // Two rows for each repository, and for the flag that all repositories refer to.
  getStatistics: 2 + 2 * (repositories + 1),
  listInsightGroups: 1 + pageSize,
  'listInsightGroups expand environment': 1 + 2 * pageSize,
  // Scores depend on all temporary flags of a project. `metadata` counts the groups by indicator, so it depends on all
  // groups.
  'listInsightGroups expand scores': 10 + pageSize + 2 * flagsScored,
  'listInsightGroups expand metadata': 10 + groups + 1 + 2 * flagsScored,
  'listInsightGroups expand scores,environment,metadata': 10 + groups + 1 + pageSize + 2 * flagsScored,
  // One row for each summarized day of the range, and one row with all samples of the other days.
  getLeadTimeChart: 40,
  'getLeadTimeChart expand percentiles': 40,
  'getTeam expand maintainers': 1 + pageSize,
  'getTeam expand members,roles,roleAttributes,projects,maintainers': 3 + pageSize,
  listAIConfigs: 1 + pageSize + pageSize * variations + pageSize,
  'listAIConfigs filtered and sorted': 1 + 100 + 100 * variations + 100,
  listAgentOptimizationResults: 1 + 2 * pageSize,
  // The list of webhooks is not paginated.
  listWebhooks: webhooks + 10,
}

async function measure(pool: CountedPool, calls: readonly ListedCall[]): Promise<MeasuredCall[]> {
  const measuredCalls: MeasuredCall[] = []
  for (const { operation, variant, expansions = 0, prepare, run } of calls) {
    const setupResult = (await prepare?.()) ?? ''
    const { statements } = await pool.during(() => run(setupResult))
    const callerStatements = statements.filter(findsCaller)
    const ownStatements = statements.filter((statement) => !findsCaller(statement) && !findsWebhooks(statement))
    const rows = ownStatements.reduce((sum, statement) => sum + statement.rows, 0)
    measuredCalls.push({
      operation,
      name: variant ? `${operation} ${variant}` : operation,
      expansions,
      callerStatements,
      ownStatements,
      rows,
    })
  }
  return measuredCalls
}

/** Returns true for a parameter that is an array literal of Postgres and contains the text. */
function listContains(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.startsWith('{') && value.includes(`"${text}"`)
}

function findsCaller({ values }: CountedStatement): boolean {
  return values.some((value) => listContains(value, 'credential'))
}

/** Returns true for the query for the webhooks of a change; without caches each change sends one. */
function findsWebhooks({ text, values }: CountedStatement): boolean {
  return text.startsWith('select') && values.includes('webhook') && values.some((value) => listContains(value, 'true'))
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

async function planOf({ text, values }: CountedStatement): Promise<Plan> {
  const { rows } = await storages.pool.query(`explain (format json) ${text}`, [...values])
  return rows[0]['QUERY PLAN'][0].Plan
}

/**
 * Returns true for a plan that scans the whole table of documents. The other tables are so small here that scanning
 * them is the best plan.
 */
function scansDocuments(plan: Plan): boolean {
  if (plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] === 'documents') return true
  return (plan.Plans ?? []).some(scansDocuments)
}

describe('operations in a project of 10,000 flags', () => {
  it('the test calls each operation of docs/specification.md', () => {
    const lines = measured.map(({ name, ownStatements, rows }) => `${ownStatements.length}\t${rows}\t${name}`)
    console.log(['statements\trows\toperation', ...lines].join('\n'))
    expect(new Set(measured.map(({ operation }) => operation)).size).toBe(20)
  })

  it('a call sends one statement to identify the caller', () => {
    expect(measured.filter(({ callerStatements }) => callerStatements.length !== 1)).toEqual([])
  })

  it('an operation sends at most three statements, and one more for each expansion', () => {
    const tooMany = measured.filter(
      ({ name, ownStatements, expansions = 0 }) => ownStatements.length > (statementsOf[name] ?? 3) + expansions,
    )
    expect(tooMany.map(({ name, ownStatements }) => [name, ownStatements.map(({ text }) => text)])).toEqual([])
  })

  it('an operation reads no more rows than its response depends on', () => {
    const tooMany = measured.filter(({ name, rows }) => rows > (rowsOf[name] ?? 10))
    expect(tooMany.map(({ name, rows }) => [name, rows])).toEqual([])
  })

  it('no statement scans the whole table of documents', async () => {
    const slow: string[] = []
    for (const { name, ownStatements, callerStatements } of measured) {
      for (const statement of [...callerStatements, ...ownStatements])
        if (scansDocuments(await planOf(statement))) slow.push(`${name}: ${statement.text}`)
    }
    expect(slow).toEqual([])
  })

  it('the check reports a plan that scans the whole table of documents', async () => {
    const text = `select count(*) from "${schema}".documents where body = $1`
    expect(scansDocuments(await planOf({ text, values: ['x'], rows: 0 }))).toBe(true)
  })
})
