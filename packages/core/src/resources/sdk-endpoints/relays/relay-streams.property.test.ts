import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Statement } from '../../../entries/policy.ts'
import type { As } from '../../../index.ts'
import { allow } from '../../account/test/calls.ts'
import { relayAccount, relayManager } from './test/relay-account.ts'
import type { RelayClient } from './test/relay-client.ts'
import { relayStore } from './test/relay-store.ts'

/** The callers who write policies and reset keys. */
const authors = ['owner', 'limited', 'by role'] as const
type Author = (typeof authors)[number]

const deny = (resource: string): Statement => ({ effect: 'deny', actions: ['*'], resources: [resource] })

const policies: readonly (readonly Statement[])[] = [
  [allow(['*'], ['proj/*:env/*'])],
  [allow(['viewSdkKey'], ['proj/web:env/*']), deny('proj/*:env/test')],
  [allow(['view*'], ['proj/*:env/*;live', 'proj/shop;eu:env/*'])],
  [{ effect: 'allow', notActions: ['viewProject'], notResources: ['proj/web:env/production'] }],
  [allow(['updateName'], ['proj/*:env/*'])],
  [],
]

const rolePolicies: readonly (readonly Statement[])[] = [
  [allow(['viewProject'], ['proj/*']), allow(['viewSdkKey'], ['proj/*:env/*', 'proj/*:env/*:sdk-key/*'])],
  [allow(['viewProject'], ['proj/shop']), allow(['viewSdkKey'], ['proj/*:env/*'])],
  [allow(['viewProject'], ['proj/*']), allow(['viewSdkKey'], ['proj/*:env/*;{critical:true}'])],
]

const environmentKey = fc.constantFrom('production', 'test', 'eu')
const place = fc.record({ projectKey: fc.constantFrom('web', 'shop'), environmentKey })
const sdkKeyKey = fc.constantFrom('billing', 'search')
const sdkKeyKind = fc.constantFrom('sdk' as const, 'mobile' as const)
const author = fc.constantFrom(...authors)
const delay = fc.constantFrom(undefined, 10, 20)

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('createEnvironment' as const), place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteEnvironment' as const), place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('patchEnvironment' as const),
      place,
      change: fc.constantFrom(
        { path: '/name', value: 'Renamed' },
        { path: '/defaultTtl', value: 7 },
        { path: '/secureMode', value: true },
        { path: '/tags', value: ['live'] },
        { path: '/tags', value: [] },
        { path: '/color', value: 'ffffff' },
        { path: '/critical', value: true },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resetSdkKey' as const), place, delay }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resetMobileKey' as const), place }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('createSdkKey' as const), place, sdkKeyKey, kind: sdkKeyKind, delay }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('patchSdkKey' as const), place, sdkKeyKey, delay }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deleteSdkKey' as const), place, sdkKeyKey }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('patchProject' as const),
      place,
      change: fc.constantFrom(
        { path: '/name', value: 'Renamed' },
        { path: '/tags', value: ['eu'] },
        { path: '/tags', value: [] },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('setPolicy' as const), author, policy: fc.constantFrom(...policies) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('resetKey' as const), author, delay }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('setRole' as const), policy: fc.constantFrom(...rolePolicies) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteRole' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(5, 10) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconnect' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clearCaches' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** A key of the configuration, with the caller who received it, and its relay. */
interface ModelKey {
  readonly value: string
  readonly holder: Author
  /** Time from which the key is invalid, integer ms. */
  until: number
  relay: RelayClient
}

/** An SDK key as the API shows it. */
interface SeenKey {
  readonly key: string
  readonly kind: string
  readonly value: string
  readonly expiry?: number | string | undefined
}

/** An environment as a caller sees it, with the additional SDK keys whose values the caller sees. */
interface SeenEnvironment {
  readonly content: { readonly sdkKey: { readonly value: string }; readonly mobKey: string }
  readonly sdkKeys: readonly SeenKey[]
}

/** Returns true when a caller sees the value of an SDK key. */
function hasKey(environment: SeenEnvironment | undefined, value: string): boolean {
  return environment?.sdkKeys.some((sdkKey) => sdkKey.value === value) ?? false
}

/** Returns an SDK key as relays receive it. */
function entryOf({ key, value, expiry }: SeenKey): object {
  return { key, value, ...(expiry === undefined ? {} : { expiry: Number(expiry) }) }
}

/**
 * Opens an account with a relay. The result performs steps, and checks the environments that the relay has received.
 */
async function openModel() {
  const account = await relayAccount()
  const { engine, api, as, create, setPolicy, reset, connect, now, pass, serviceToken } = account
  const shop = { key: 'shop', name: 'Shop', tags: ['eu'] }
  await api.createProject({ body: shop }, { as })
  const role = { key: 'viewer', name: 'Viewer', policy: rolePolicies[0] as readonly Statement[] }
  const managerRole = { key: 'manager', name: 'Manager', policy: [relayManager] }
  for (const body of [role, managerRole]) await api.createRole({ body }, { as })
  const limitedRights = [
    relayManager,
    allow(['viewProject'], ['proj/*']),
    allow(['viewSdkKey'], ['proj/*:env/*', 'proj/*:env/*:sdk-key/billing']),
    deny('proj/shop:env/*'),
  ]
  const callers: Readonly<Record<Author, As>> = {
    owner: as,
    limited: await serviceToken(limitedRights),
    'by role': (await api.createToken({ body: { customRoleIds: ['viewer', 'manager'], serviceToken: true } }, { as }))
      .token,
  }
  const created = await create()
  const id = created._id
  let policy = policies[0] as readonly Statement[]
  let policyAuthor: Author = 'owner'
  const keyOf = async (value: string, holder: Author): Promise<ModelKey> => ({
    value,
    holder,
    until: Number.POSITIVE_INFINITY,
    relay: await connect(value),
  })
  const keys: ModelKey[] = [await keyOf(created.fullKey as string, 'owner')]

  /** Returns the environments whose SDK keys a caller sees in the responses of the API, by id. */
  async function seenBy(caller: As) {
    const seen = new Map<string, SeenEnvironment>()
    for (const { key: projectKey } of (await api.listProjects({}, { as: caller })).items) {
      const project = await api.getProject({ projectKey }, { as: caller })
      const { items } = await api.listEnvironments({ projectKey, limit: 20 }, { as: caller })
      for (const { _id, key, name, apiKey, mobileKey, defaultTtl, secureMode } of items) {
        if (!/^sdk-[0-9a-f]{40}$/.test(apiKey)) continue
        const sdkKeys = await api.getSdkKeys({ projectKey, environmentKey: key, limit: 20 }, { as: caller })
        const visible = sdkKeys.items.filter(({ value, isDefault }) => !isDefault && !value.includes('***'))
        const names = { envID: _id, envKey: key, envName: name, projKey: projectKey, projName: project.name }
        const content = { ...names, sdkKey: { value: apiKey }, mobKey: mobileKey, defaultTtl, secureMode }
        seen.set(_id, { content, sdkKeys: visible.sort((a, b) => (a.key < b.key ? -1 : 1)) })
      }
    }
    return seen
  }

  /** The previous SDK keys by environment, which the API does not show. */
  const expiring = new Map<string, { readonly value: string; readonly timestamp: number }>()

  async function expectedOf(holder: Author) {
    const policyCaller: As = { policy: [...policy, allow(['viewProject'], ['proj/*'])] }
    const [byPolicy, byAuthor, byHolder] = await Promise.all(
      [policyCaller, callers[policyAuthor], callers[holder]].map(seenBy),
    )
    const visible = [...(await seenBy(as))]
      .filter(([envID]) => byPolicy?.has(envID))
      .filter(([envID]) => byAuthor?.has(envID) && byHolder?.has(envID))
    return Object.fromEntries(
      visible.map(([envID, { content, sdkKeys }]) => {
        const previous = expiring.get(envID)
        const current = previous && previous.timestamp > now() ? previous : undefined
        const shared = sdkKeys.filter(
          ({ value, expiry = Number.POSITIVE_INFINITY }) =>
            Number(expiry) > now() && [byAuthor, byHolder].every((caller) => hasKey(caller?.get(envID), value)),
        )
        const previousKeys = current
          ? [{ key: 'default-previous', value: current.value, expiry: current.timestamp }]
          : []
        const listed = (kind: string, name: string, defaults: readonly object[]) => {
          const entries = shared.filter((sdkKey) => sdkKey.kind === kind).map(entryOf)
          const all = [...defaults, ...entries].map((entry) => ({ ...entry, hasViews: false }))
          return entries.length === 0 ? {} : { [name]: all }
        }
        const { sdkKey, mobKey } = content
        const environment = {
          ...content,
          sdkKey: current ? { ...sdkKey, expiring: current } : sdkKey,
          ...listed('sdk', 'sdkKeys', [{ key: 'default', value: sdkKey.value }, ...previousKeys]),
          ...listed('mobile', 'mobileKeys', [{ key: 'default-mobile', value: mobKey }]),
        }
        return [envID, environment]
      }),
    )
  }

  let deletions: string[] = []

  async function perform(next: Step): Promise<void> {
    switch (next.do) {
      case 'createEnvironment': {
        const { projectKey, environmentKey: key } = next.place
        await api.createEnvironment({ projectKey, body: { key, name: key, color: '000000' } }, { as })
        return
      }
      case 'deleteEnvironment': {
        const { _id } = await api.getEnvironment(next.place, { as })
        await api.deleteEnvironment(next.place, { as })
        // The previous key of a deleted environment is not restored with it.
        expiring.delete(_id)
        deletions = [...deletions, await account.newestEntry()]
        return
      }
      case 'restore': {
        const entry = deletions.at(-1)
        deletions = deletions.slice(0, -1)
        if (entry !== undefined) await api.revertChangeLogEntry({ id: entry, body: {} }, { as })
        return
      }
      case 'patchEnvironment':
        await api.patchEnvironment({ ...next.place, body: [{ op: 'replace', ...next.change }] as never }, { as })
        return
      case 'resetSdkKey': {
        const { _id, apiKey } = await api.getEnvironment(next.place, { as })
        const expiry = next.delay === undefined ? {} : { expiry: now() + next.delay }
        await api.resetSdkKey({ ...next.place, ...expiry }, { as })
        if (next.delay === undefined) expiring.delete(_id)
        else expiring.set(_id, { value: apiKey, timestamp: now() + next.delay })
        return
      }
      case 'createSdkKey': {
        const expiry = next.delay === undefined ? {} : { expiry: now() + next.delay }
        const body = { key: next.sdkKeyKey, name: next.sdkKeyKey, kind: next.kind, ...expiry }
        await api.postSdkKey({ ...next.place, body }, { as })
        return
      }
      case 'patchSdkKey': {
        const expiry = next.delay === undefined ? null : now() + next.delay
        await api.patchSdkKeyByKey({ ...next.place, sdkKeyKey: next.sdkKeyKey, body: { expiry } }, { as })
        return
      }
      case 'deleteSdkKey':
        await api.deleteSdkKeyByKey({ ...next.place, sdkKeyKey: next.sdkKeyKey }, { as })
        deletions = [...deletions, await account.newestEntry()]
        return
      case 'resetMobileKey':
        await api.resetMobileKey(next.place, { as })
        return
      case 'patchProject': {
        const body = [{ op: 'replace', ...next.change }] as never
        await api.patchProject({ projectKey: next.place.projectKey, body }, { as })
        return
      }
      case 'setPolicy': {
        const isChanged = JSON.stringify(next.policy) !== JSON.stringify(policy)
        await setPolicy(id, next.policy, callers[next.author])
        policy = next.policy
        if (isChanged) policyAuthor = next.author
        return
      }
      case 'resetKey': {
        const expiry = next.delay === undefined ? undefined : now() + next.delay
        const { fullKey } = await reset(id, expiry, callers[next.author])
        const [retired, ...older] = [...keys].reverse() as [ModelKey, ...ModelKey[]]
        for (const key of older) key.until = Math.min(key.until, now())
        retired.until = expiry ?? now()
        policyAuthor = next.author
        keys.push(await keyOf(fullKey as string, next.author))
        return
      }
      case 'setRole':
        await api.patchRole(
          { roleKey: 'viewer', body: [{ op: 'replace', path: '/policy', value: next.policy }] as never },
          { as },
        )
        return
      case 'deleteRole':
        await api.deleteRole({ roleKey: 'viewer', detach: true }, { as })
        return
      case 'pass':
        pass(next.ms)
        await engine.sdk.beat()
        return
      case 'reconnect':
        for (const key of keys) {
          key.relay.close()
          key.relay = await connect(key.value, key.relay.store)
        }
        return
      default:
        engine.clearCaches()
    }
  }

  async function check(): Promise<void> {
    for (const { value, holder, until, relay } of keys) {
      const isValid = now() < until
      const other = await connect(value)
      other.close()
      expect([other.status, relay.isOpen()]).toEqual(isValid ? [200, true] : [401, false])
      if (!isValid) continue
      const expected = await expectedOf(holder)
      for (const client of [relay, other]) {
        const known = [...client.store.all()].map(([envID, { version: _, ...content }]) => [envID, content] as const)
        expect(Object.fromEntries(known)).toEqual(expected)
      }
    }
  }

  return { perform, check, close: () => engine.close() }
}

it('a relay has the environments that its policy and the rights of its authors allow, after any sequence of changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const model = await openModel()
      await model.check()
      for (const next of steps) {
        // Some changes are refused because an environment or a role is missing or exists already; those change nothing.
        await model
          .perform(next)
          .catch((error) =>
            expect(['not_found', 'optimistic_locking_error', 'forbidden', 'invalid_request']).toContain(error.code),
          )
        await model.check()
      }
      await model.close()
    }),
    { numRuns: 60 },
  )
})

it('the store of a relay ignores older versions of an environment until a put message omits the environment', () => {
  const store = relayStore()
  const environment = { envID: '0'.repeat(24), version: 3 }
  const patch = { event: 'patch', data: { path: `/environments/${environment.envID}`, data: environment } }
  store.apply(patch)
  store.apply({ event: 'delete', data: { path: `/environments/${environment.envID}`, version: 4 } })
  store.apply(patch)
  expect(store.all().size).toBe(0)
  store.apply({ event: 'put', data: { path: '/', data: { environments: {} } } })
  store.apply(patch)
  expect(store.all().size).toBe(1)
})
