import fc from 'fast-check'
import { expect, it } from 'vitest'
import { environment, keyedEnvironment } from './test/keyed-environment.ts'

/** A secret that was valid at some time. */
interface IssuedSecret {
  readonly kind: 'sdk' | 'mobile'
  readonly value: string
  /** Time from which SDKs with the secret are rejected, integer ms. */
  until: number
}

const never = Number.POSITIVE_INFINITY

const key = fc.constantFrom('a', 'b')
/** Time until a key expires, in ms. */
const delay = fc.constantFrom(undefined, 0, 10, 20)
const step = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    key,
    delay,
    of: fc.constantFrom('sdk' as const, 'mobile' as const),
  }),
  fc.record({ kind: fc.constant('expire' as const), key, delay }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({ kind: fc.constant('rename' as const), key }),
  fc.record({ kind: fc.constant('reset' as const), delay }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(5, 10) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Opens an environment; the result performs a step and records which secrets are valid after it. */
async function openModel() {
  const opened = await keyedEnvironment()
  const { api, as, add, patch, remove, pass, now } = opened
  const { apiKey } = await api.getEnvironment(environment, { as })
  const issued: IssuedSecret[] = [{ kind: 'sdk', value: apiKey, until: never }]
  let [current] = issued as [IssuedSecret]
  let retired: IssuedSecret | undefined
  const byKey = new Map<string, IssuedSecret>()
  const untilOf = (ms: number | undefined) => (ms === undefined ? never : now() + ms)

  async function create({ key, delay, of }: Step & { kind: 'create' }) {
    if (byKey.has(key)) return
    const { value } = await add(key, { kind: of, ...(delay === undefined ? {} : { expiry: now() + delay }) })
    const secret = { kind: of, value, until: untilOf(delay) }
    byKey.set(key, secret)
    issued.push(secret)
  }

  async function reset({ delay }: Step & { kind: 'reset' }) {
    const expiry = delay === undefined ? {} : { expiry: now() + delay }
    const { apiKey: value } = await api.resetSdkKey({ ...environment, ...expiry }, { as })
    if (retired) retired.until = Math.min(retired.until, now())
    current.until = delay === undefined ? now() : now() + delay
    retired = current
    current = { kind: 'sdk', value, until: never }
    issued.push(current)
  }

  async function change(secret: IssuedSecret, next: Step & { kind: 'expire' | 'delete' | 'rename' }) {
    switch (next.kind) {
      case 'expire':
        await patch(next.key, { expiry: next.delay === undefined ? null : now() + next.delay })
        secret.until = untilOf(next.delay)
        return
      case 'delete':
        await remove(next.key)
        secret.until = now()
        byKey.delete(next.key)
        return
      default:
        await patch(next.key, { name: 'Renamed' })
    }
  }

  return {
    ...opened,
    issued,
    async perform(next: Step): Promise<void> {
      if (next.kind === 'pass') return pass(next.ms)
      if (next.kind === 'create') return create(next)
      if (next.kind === 'reset') return reset(next)
      const secret = byKey.get(next.key)
      if (secret) await change(secret, next)
    },
  }
}

it('SDKs connect by every key until it expires or is deleted, and by no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { issued, perform, status, now, engine } = await openModel()
      for (const next of steps) {
        await perform(next)
        for (const { kind, value, until } of issued) {
          expect(await status(kind, value)).toBe(now() < until ? 200 : 401)
          // A key of one kind does not connect SDKs of the other kind.
          expect(await status(kind === 'sdk' ? 'mobile' : 'sdk', value)).toBe(401)
        }
      }
      await engine.close()
    }),
    { numRuns: 60 },
  )
})
