import { createHash } from 'node:crypto'
import { createMemoryStorage } from '@halyard/storage-memory'
import { policies, policyQueries } from '@halyard/testing/arbitraries'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine, type OAuthIssuedTokens } from '../../index.ts'
import type { Caller } from '../../operation/caller.ts'
import type { HostIdentity } from '../../operation/host-identity.ts'
import { platform } from '../../platform.ts'
import { type CompiledPolicy, compilePolicy, decide } from '../../rules/policy/policy.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { engineRequest } from '../account/test/calls.ts'
import { baseRoles, compileRole } from '../policy.ts'
import { identifier } from '../tokens/identify-token.ts'

const vocabulary = {
  shapes: ['proj', 'proj:env', 'proj:env:flag', 'team', 'service-token', 'member:token', 'member', 'oauth-client'],
  keys: ['web', 'production', 'checkout', 'm1', 't1'],
  roleAttributes: ['x'],
} as const
const policy = policies(vocabulary)
const withTokens = policy.map((statements): Statement[] => [
  ...statements,
  { effect: 'allow', resources: ['member/*:token/*'], actions: ['*'] },
])
const memberRole = fc.constantFrom('no_access' as const, 'reader' as const, 'writer' as const, 'admin' as const)

const scenario = fc.record({
  member: fc.record({ role: memberRole, customRoles: fc.constantFrom([], ['stored']) }),
  laterRole: memberRole,
  stored: withTokens,
  other: policy,
  attributes: fc.subarray(['web', 'checkout', 'm1']),
  identity: fc.record({ role: memberRole, inlinePolicy: fc.oneof(withTokens, policy) }, { requiredKeys: [] }),
  scopes: fc.subarray(['reader', 'writer', 'admin', 'stored', 'other'], { minLength: 1 }),
  queries: fc.array(policyQueries(vocabulary), { minLength: 40, maxLength: 40 }),
})
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

const redirectUri = 'https://app.example.com/callback'
const codeVerifier = 'v'.repeat(43)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

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
  const body = [{ email: 'bob@x.io', ...member, roleAttributes: { x: attributes } }]
  const { items } = await engine.api.createMembers({ body }, { as })
  const bob = items[0]?._id as string
  const client = await engine.api.createOAuthClient({ body: { name: 'App', redirectUri } }, { as })
  return { engine, as, bob, client, reads: storage.account('default') }
}

const allows = ({ layers }: Pick<Caller, 'layers'>, { action, resource }: Scenario['queries'][number]) =>
  layers.every((layer) => decide(layer, action, resource).allowed)

/** Returns the rights of each scope, as a policy of its own. */
function policiesOf({ scopes, stored, other, attributes }: Scenario): CompiledPolicy[] {
  const statements: Readonly<Record<string, readonly Statement[]>> = { ...baseRoles, stored, other }
  return scopes.map((name) =>
    compilePolicy([compileRole({ name, statements: statements[name] ?? [] }, { roleAttributes: { x: attributes } })]),
  )
}

it('an access token has only rights that its scopes, its member and the caller who granted it all have', async () => {
  const counts = { granted: 0, refused: 0, allowed: 0, denied: 0, demoted: 0 }
  await fc.assert(
    fc.asyncProperty(scenario, async (input) => {
      const { engine, as, bob, client, reads } = await openAccount(input)
      const { find, findIdentity } = identifier({ recordUses: false })
      const hostIdentity: HostIdentity = { member: 'bob@x.io', session: false, ...(input.identity as object) }
      const granter = (await findIdentity(reads, hostIdentity)) as Caller
      const body = { redirectUri, scopes: input.scopes, codeChallenge }
      const path = `/api/v2/oauth/clients/${client._clientId}/grants`
      const response = await engine.handle({ ...engineRequest('POST', path, body, {}), identify: () => hostIdentity })
      if (response.status !== 201) {
        expect(response.status).toBe(403)
        counts.refused++
        return
      }
      counts.granted++
      const { code } = JSON.parse(response.body as string)
      const proof = { clientId: client._clientId, clientSecret: client._clientSecret }
      const issued = await engine.oauth.issueTokens(proof, {
        grantType: 'authorization_code',
        code,
        redirectUri,
        codeVerifier,
      })
      const { accessToken } = issued as OAuthIssuedTokens
      const scopes = policiesOf(input)
      for (const later of [undefined, input.laterRole]) {
        const change = [{ op: 'replace', path: '/role', value: later }] as const
        if (later) await engine.api.patchMember({ id: bob, body: change as never }, { as })
        const token = (await find(reads, platform, accessToken))?.caller as Caller
        const member = (await findIdentity(reads, { member: 'bob@x.io' })) as Caller
        for (const query of input.queries) {
          const allowed = allows(token, query)
          counts[allowed ? 'allowed' : 'denied']++
          if (later && !allowed) counts.demoted++
          if (!allowed) continue
          expect(allows(member, query), JSON.stringify({ lacks: 'member', query })).toBe(true)
          expect(allows(granter, query), JSON.stringify({ lacks: 'granter', query })).toBe(true)
          const inScope = scopes.some((layer) => decide(layer, query.action, query.resource).allowed)
          expect(inScope, JSON.stringify({ lacks: 'scope', query })).toBe(true)
        }
      }
    }),
    { numRuns: 40 },
  )
  for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(5)
})
