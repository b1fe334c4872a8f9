import { createMemoryStorage } from '@halyard/storage-memory'
import { policies, policyQueries } from '@halyard/testing/arbitraries'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import type { Caller } from '../../operation/caller.ts'
import type { HostIdentity } from '../../operation/host-identity.ts'
import { platform } from '../../platform.ts'
import { decide } from '../../rules/policy/policy.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { engineRequest } from '../account/test/calls.ts'
import { identifier } from './identify-token.ts'

const vocabulary = {
  shapes: ['proj', 'proj:env', 'proj:env:flag', 'team', 'service-token', 'member:token', 'member'],
  keys: ['web', 'production', 'checkout', 'm1', 't1'],
  roleAttributes: ['x'],
} as const
const policy = policies(vocabulary)
const tokenPolicy = policy.map((statements): Statement[] => [
  ...statements,
  { effect: 'allow', resources: ['member/*:token/*', 'service-token/*'], actions: ['*'] },
])

const rights = fc.oneof(
  fc.record({ role: fc.constantFrom('reader', 'writer', 'admin') }),
  fc.record({ inlineRole: tokenPolicy }),
  fc.record({ inlineRole: policy }),
  fc.record({ customRoleIds: fc.constantFrom(['stored'], ['other'], ['stored', 'other']) }),
)

const memberRole = fc.constantFrom('no_access', 'reader', 'writer', 'admin')
const identity = fc.record(
  { role: memberRole, teams: fc.constantFrom([], ['team'], ['unknown']), inlinePolicy: tokenPolicy },
  { requiredKeys: [] },
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), rights, serviceToken: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), of: fc.nat() }) },
)

const scenario = fc.record({
  member: fc.record({
    role: memberRole,
    customRoles: fc.constantFrom([], ['stored']),
    teamKeys: fc.constantFrom([], ['team']),
  }),
  stored: tokenPolicy,
  other: policy,
  attributes: fc.subarray(['web', 'checkout', 'm1']),
  identity,
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  queries: fc.array(policyQueries(vocabulary), { minLength: 40, maxLength: 40 }),
})
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

async function openAccount({ stored, other, attributes, member }: Scenario) {
  const storage = createMemoryStorage()
  const ids = (function* () {
    yield* ['owner', 't0', 'm1', 't1']
    for (let i = 2; ; i++) yield `t${i}`
  })()
  const engine = createEngine({ storage, rateLimit: false, newId: () => ids.next().value as string })
  const as = (await engine.bootstrap())?.token as string
  await engine.api.createRole({ body: { key: 'stored', name: 'Stored', policy: stored } }, { as })
  await engine.api.createRole({ body: { key: 'other', name: 'Other', policy: other } }, { as })
  await engine.api.createTeam({ body: { key: 'team', name: 'Team', customRoleKeys: ['stored'] } }, { as })
  const body = [{ email: 'bob@x.io', ...member, roleAttributes: { x: attributes } }]
  await engine.api.createMembers({ body: body as never }, { as })
  return { engine, reads: storage.account('default') }
}

const allows = ({ layers }: Caller, { action, resource }: Scenario['queries'][number]) =>
  layers.every((layer) => decide(layer, action, resource).allowed)

/**
 * The creator of a token. `identify` or `authorization` authenticates its requests; `now` returns the caller of such a
 * request.
 */
interface Creator {
  readonly identify?: () => HostIdentity
  readonly authorization?: string
  now(): Promise<Caller>
}

it('no token has a right that its creator, or a caller who knows its value, lacks', async () => {
  const counts = { tokens: 0, service: 0, byHost: 0, resets: 0, allowed: 0 }
  await fc.assert(
    fc.asyncProperty(scenario, async (input) => {
      const { engine, reads } = await openAccount(input)
      const { find, findIdentity } = identifier({ recordUses: false })
      const creatorOf = (token: string): Creator => ({
        authorization: token,
        now: async () => (await find(reads, platform, token))?.caller as Caller,
      })
      const hostIdentity: HostIdentity = { member: 'bob@x.io', session: false, ...(input.identity as object) }
      const host: Creator = {
        identify: () => hostIdentity,
        now: async () => (await findIdentity(reads, hostIdentity)) as Caller,
      }
      const createdTokens: { readonly id: string; readonly creator: Creator }[] = []
      let creator = host
      for (const each of input.steps) {
        const target = each.do === 'reset' ? createdTokens[each.of % Math.max(1, createdTokens.length)] : undefined
        if (each.do === 'reset' && !target) continue
        const path = target ? `/api/v2/tokens/${target.id}/reset` : '/api/v2/tokens'
        const body = each.do === 'create' ? { ...each.rights, serviceToken: each.serviceToken } : undefined
        // The caller is read before the call, because a token that resets itself is invalid afterwards.
        const parent = await creator.now()
        const request = engineRequest('POST', path, body, { authorization: creator.authorization })
        const response = await engine.handle({ ...request, identify: creator.identify })
        if (response.status >= 400) {
          expect([403, 404]).toContain(response.status)
          continue
        }
        const { _id, token, serviceToken } = JSON.parse(response.body as string)
        const child = await creatorOf(token).now()
        for (const query of input.queries) {
          if (!allows(child, query)) continue
          counts.allowed++
          expect(allows(parent, query), JSON.stringify({ each, query })).toBe(true)
        }
        counts.tokens++
        if (serviceToken) counts.service++
        if (creator === host) counts.byHost++
        if (target) counts.resets++
        createdTokens.push({ id: _id, creator })
        // The next token is created either with this token, or again by the caller that the host asserts.
        creator = each.do === 'create' ? creatorOf(token) : host
      }
    }),
    { numRuns: 100 },
  )
  for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(5)
})
