import { createEngine } from '@halyard/core'
import { resourceShapes, specifierOf } from '@halyard/core/policy'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createDeterministicHost } from '@halyard/testing'
import { inProcessHarness } from '../../transport/in-process-harness.ts'
import { adminToken, seededNow } from '../../transport/seeded-engine.ts'
import { settings } from '../operation-fixture.ts'
import { guard } from './guarded-project.ts'

/**
 * An account whose resources need approval, and callers who must not be able to change the values that its flags serve.
 */
export type GuardedAccount = Awaited<ReturnType<typeof openGuardedAccount>>

/** Actions that allow a caller to change something without approval. */
const bypassActions = ['bypassRequiredApproval', 'updateApprovalSettings']

const day = 24 * 3_600_000

/** Creates an account without projects, a token with all other rights, and a token with the base role writer. */
export async function openGuardedAccount() {
  const storage = createMemoryStorage()
  const { clock, newId, randomHex, ...host } = createDeterministicHost(seededNow)
  const engine = createEngine({ ...settings, storage, clock, newId, randomHex, rateLimit: false, webhooks: false })
  await engine.migrate()
  await engine.bootstrap({ token: adminToken })
  // The property tests read the schemas of the operations.
  await engine.definitions()
  const client = await inProcessHarness.open(engine)
  const token = async (body: object) =>
    (await engine.api.createToken({ body: { name: 'Caller', ...body } as never }, { as: adminToken })).token as string
  const tokens = {
    'every right except to bypass approvals': await token({ inlineRole: everyRightExceptBypass() }),
    'the role writer': await token({ role: 'writer' }),
  }
  return {
    engine,
    client,
    storage: storage.account('default'),
    tokens,
    now: clock,
    advance: (ms: number) => host.advance(ms),
    /** Moves the clock by a year, and runs the tasks that become due in this time. */
    async passYear(): Promise<void> {
      for (const days of [0, 1, 30, 334]) {
        host.advance(days * day + 1_000)
        await engine.runDueTasks()
      }
    },
    /** Turns on every flag of every project, then makes every environment require approval. */
    guard: () => guard(engine),
    save: () => ({ stored: storage.snapshot(), host: host.save() }),
    restore({
      stored,
      host: hostState,
    }: {
      stored: ReturnType<typeof storage.snapshot>
      host: ReturnType<typeof host.save>
    }) {
      storage.restore(stored)
      host.restore(hostState)
      engine.clearCaches()
    },
  }
}

/**
 * Returns a statement that allows every action on every shape of resource, except the actions that bypass approvals.
 */
function everyRightExceptBypass(): readonly object[] {
  const resources = resourceShapes.map(specifierOf)
  return [{ effect: 'allow', resources, notActions: bypassActions }]
}
