import { createTestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { applyPlan, planFlags, pullFlags } from './plan.ts'
import { planText } from './plan-text.ts'
import { parseProjectFile } from './project-file.ts'

const projectKey = 'web'

/** Creates the project Web with the flag Checkout, which serves `true` to the segment Beta in Test. */
async function shop() {
  const engine = await createTestEngine()
  await engine.given.project(projectKey)
  const api = engine.as({ role: 'owner' })
  const target = { api }
  await api.createSegment({ projectKey, environmentKey: 'test', body: { key: 'beta', name: 'Beta' } })
  await api.createFlag({ projectKey, body: { key: 'checkout', name: 'Checkout', tags: ['pay'] } })
  await api.createFlag({ projectKey, body: { key: 'search', name: 'Search' } })
  const clause = { attribute: 'segmentMatch', op: 'segmentMatch', values: ['beta'] }
  const rules = [{ clauses: [clause], variation: 0 }]
  const body = [{ op: 'replace', path: '/environments/test/rules', value: rules }] as const
  await api.patchFlag({ projectKey, flagKey: 'checkout', body: body as never })
  const pull = () => pullFlags(target, projectKey)
  const planOf = (text: string, options = {}) => planFlags(target, parseProjectFile(text), options)
  const edit = async (change: (file: ReturnType<typeof parse>) => void, text?: string) => {
    const file = parse(text ?? (await pull()))
    change(file)
    return stringify(file)
  }
  return { engine, api, target, pull, planOf, edit }
}

describe('pullFlags', () => {
  it('writes a file whose plan has no changes', async () => {
    const { pull, planOf } = await shop()
    const text = await pull()
    expect(parse(text).flags.checkout.environments.test.rules).toEqual([
      { clauses: [{ attribute: 'segmentMatch', op: 'segmentMatch', values: ['beta'] }], variation: 0 },
    ])
    expect(planText(await planOf(text))).toBe('no changes\n')
  })

  it('keeps the comments and the ownership of the file that it replaces', async () => {
    const { api, target } = await shop()
    const text = [
      'version: 1',
      'project: web',
      '# The payment team owns these.',
      'owns: { tags: [pay] }',
      'flags:',
      '  # Ask Ann before turning this on.',
      '  checkout: { name: Old, temporary: true, variations: [], defaults: { onVariation: 0, offVariation: 1 }, ' +
        'clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: true }, environments: {} }',
      '',
    ].join('\n')
    const pulled = await pullFlags(target, projectKey, { file: parseProjectFile(text), text })
    expect(pulled).toContain('# The payment team owns these.')
    expect(pulled).toContain('# Ask Ann before turning this on.')
    expect(Object.keys(parse(pulled).flags)).toEqual(['checkout'])
    expect(parse(pulled)).not.toHaveProperty('environments')
    const again = await pullFlags(target, projectKey, { file: parseProjectFile(pulled), text: pulled })
    expect(again).toBe(pulled)
    expect((await api.getFlag({ projectKey, flagKey: 'checkout' })).name).toBe(parse(pulled).flags.checkout.name)
  })

  it('contains no secret', async () => {
    const { api, pull } = await shop()
    const { apiKey, mobileKey } = await api.getEnvironment({ projectKey, environmentKey: 'test' })
    const text = await pull()
    for (const secret of [apiKey, mobileKey]) expect(text).not.toContain(secret)
  })
})

describe('planFlags', () => {
  it('describes each change in sentences, and changes nothing', async () => {
    const { pull, planOf, edit } = await shop()
    const before = await pull()
    const text = await edit((file) => {
      file.flags.checkout.environments.production.on = true
      file.flags.pay = { ...file.flags.search, name: 'Pay' }
    })
    const lines = planText(await planOf(text)).split('\n')
    expect(lines).toContain('flag checkout')
    expect(lines).toContain('flag pay')
    expect(lines).toContain('  turned on Checkout in Production')
    expect(lines.some((line) => /^ {2}created/.test(line))).toBe(true)
    expect(await pull()).toBe(before)
  })

  it('deletes with prune only', async () => {
    const { pull, target, planOf, edit } = await shop()
    const text = await edit((file) => void delete file.flags.search)
    const plan = await planOf(text)
    expect(plan.changes).toEqual([])
    expect(plan.unlisted).toEqual(['flag search'])
    expect(planText(plan)).toBe('no changes\nflag search is not in the file; --prune would delete it\n')
    await applyPlan(target, await planOf(text, { prune: true }))
    expect(Object.keys(parse(await pull()).flags)).toEqual(['checkout'])
  })

  it('does not change resources that the file does not own', async () => {
    const { api, target, planOf, edit } = await shop()
    const text = await edit((file) => {
      file.owns = { flags: ['check*'] }
      delete file.settings
      delete file.environments
      delete file.segments
      delete file.flags.search
      file.flags.checkout.name = 'Cashier'
    })
    await applyPlan(target, await planOf(text, { prune: true }))
    const { items } = await api.listFlags({ projectKey })
    expect(items.map(({ name }) => name).sort()).toEqual(['Cashier', 'Search'])
  })

  it.each([
    [
      'an unknown environment',
      'flags.checkout.environments.prod',
      (file: ReturnType<typeof parse>) =>
        (file.flags.checkout.environments.prod = { on: true, fallthrough: { variation: 0 } }),
    ],
    [
      'an unknown property',
      'flags.checkout.colour',
      (file: ReturnType<typeof parse>) => (file.flags.checkout.colour = 'red'),
    ],
    [
      'a flag that the file does not own',
      'flags.search',
      (file: ReturnType<typeof parse>) => (file.owns = { flags: ['check*'], segments: ['*'] }),
    ],
  ])('names %s', async (_, path, change) => {
    const { planOf, edit } = await shop()
    const text = await edit(change)
    await expect((async () => planOf(text))()).rejects.toThrow(path)
  })
})

describe('the contexts that a plan would change', () => {
  const turnOn = (file: ReturnType<typeof parse>) => {
    file.flags.checkout.environments.production.on = true
  }

  it('are the most recently evaluated contexts that would get another variation', async () => {
    const { engine, planOf, edit } = await shop()
    const evaluator = engine.evaluator({ projectKey, environmentKey: 'production' })
    await evaluator.ready()
    // The keys of contexts come from users, who must not be able to control the terminal.
    for (const key of ['ann', 'b\u001bob']) evaluator.evaluate('checkout', { kind: 'user', key }, false as never)
    const plan = await planOf(await edit(turnOn))
    expect(plan.effects).toMatchObject([
      { resource: 'flag checkout', environmentKey: 'production', evaluated: 2, changed: 2 },
    ])
    expect(planText(plan).split('\n')).toEqual([
      'flag checkout',
      '  turned on Checkout in Production',
      'flag checkout in production: 2 of 2 contexts would get another variation',
      '  user b\ufffdob: false -> true',
      '  user ann: false -> true',
      '',
    ])
  })

  it('are also listed for changes that require approval, and the plan describes these changes', async () => {
    const { api, planOf, edit } = await shop()
    const settings = [{ op: 'replace', path: '/approvalSettings/required', value: true }] as const
    await api.patchEnvironment({ projectKey, environmentKey: 'production', body: settings as never })
    const plan = await planOf(await edit(turnOn), { contexts: [{ kind: 'user', key: 'ann' }] })
    expect(planText(plan).split('\n')).toEqual([
      'flag checkout: requires approval',
      '  turned on Checkout in Production',
      'flag checkout in production: 1 of 1 contexts would get another variation',
      '  user ann: false -> true',
      '',
    ])
  })

  it.each([
    ['none of the named contexts', [{ kind: 'user', key: 'ann' }], 'none of 1 contexts would get another variation'],
    ['unknown without contexts', undefined, 'no contexts were evaluated recently; --contexts names some to compare'],
  ])('are %s', async (_, contexts, line) => {
    const { planOf, edit } = await shop()
    const text = await edit((file) => {
      file.flags.checkout.name = 'Cashier'
    })
    expect(planText(await planOf(text, { ...(contexts && { contexts }) }))).toContain(`\n${line}\n`)
  })

  it('are listed up to five, with the number of the others', async () => {
    const { planOf, edit } = await shop()
    const contexts = Array.from({ length: 30 }, (_, n) => ({ kind: 'user', key: `u${n}` }))
    const lines = planText(await planOf(await edit(turnOn), { contexts })).split('\n')
    expect(lines.filter((line) => line.startsWith('  user '))).toHaveLength(5)
    expect(lines).toContain('  and 25 more')
  })
})

describe('applyPlan', () => {
  it('changes the project to the state of the file, with one change log entry for each change', async () => {
    const { api, target, pull, planOf, edit } = await shop()
    const rule = { clauses: [{ attribute: 'country', op: 'in', values: ['fr'] }], variation: 1 }
    const text = await edit((file) => {
      file.flags.checkout.environments.test.rules.unshift(rule)
      file.flags.checkout.variations[0].name = 'New'
      file.flags.pay = {
        ...file.flags.search,
        environments: { test: { on: true, fallthrough: { variation: 0 }, offVariation: 1 } },
      }
      file.segments.test.beta.included = ['ann']
      file.segments.production = { vip: { name: 'VIP', rules: [{ clauses: rule.clauses }] } }
    })
    const { environments } = await api.getFlag({ projectKey, flagKey: 'checkout' })
    const id = environments?.test?.rules?.[0]?._id
    await applyPlan(target, await planOf(text, { comment: 'From Git' }))
    const after = await api.getFlag({ projectKey, flagKey: 'checkout' })
    expect(after.environments?.test?.rules?.map(({ _id }) => _id)[1]).toBe(id)
    expect(planText(await planOf(text))).toBe('no changes\n')
    const { items } = await api.listChangeLog({ limit: 20 })
    expect(items.filter(({ comment }) => comment === 'From Git').length).toBeGreaterThan(2)
    expect(parse(await pull()).segments.production.vip.name).toBe('VIP')
  })

  it('refuses the plan, names what another caller has changed since, and changes nothing', async () => {
    const { api, target, pull, planOf, edit } = await shop()
    const text = await edit((file) => {
      file.flags.checkout.name = 'Cashier'
      file.flags.search.name = 'Find'
    })
    const plan = await planOf(text)
    const body = [{ op: 'replace', path: '/name', value: 'Lookup' }] as const
    await api.patchFlag({ projectKey, flagKey: 'search', body: body as never })
    const before = await pull()
    await expect(applyPlan(target, plan)).rejects.toMatchObject({
      code: 'optimistic_locking_error',
      message: expect.stringContaining('another call has changed flag search since the plan'),
    })
    expect(await pull()).toBe(before)
  })

  it('refuses with the names of the flags that need approval, and changes nothing', async () => {
    const { api, target, pull, planOf, edit } = await shop()
    const settings = [{ op: 'replace', path: '/approvalSettings/required', value: true }] as const
    await api.patchEnvironment({ projectKey, environmentKey: 'production', body: settings as never })
    const before = await pull()
    const text = await edit((file) => {
      file.flags.search.name = 'Find'
      for (const key of ['checkout', 'search']) file.flags[key].environments.production.on = true
    })
    const plan = await planOf(text)
    expect(plan.steps.map(({ resource, needsApproval }) => [resource, needsApproval])).toEqual([
      ['flag checkout', true],
      ['flag search', true],
    ])
    await expect(applyPlan(target, plan)).rejects.toThrow('approval is required for flag checkout, flag search')
    expect(await pull()).toBe(before)
    await applyPlan(target, await planOf(text, { bypassRequiredApproval: true }))
    expect(planText(await planOf(text))).toBe('no changes\n')
  })

  it('requests the approval of the whole plan, which is then applied as one commit', async () => {
    const { engine, api, target, pull, planOf, edit } = await shop()
    const settings = [{ op: 'replace', path: '/approvalSettings/required', value: true }] as const
    await api.patchEnvironment({ projectKey, environmentKey: 'production', body: settings as never })
    const before = await pull()
    const text = await edit((file) => {
      file.flags.pay = { ...file.flags.search, name: 'Pay' }
      for (const key of ['checkout', 'pay']) file.flags[key].environments.production.on = true
    })
    const { approvalRequestId: id = '' } = await applyPlan(target, await planOf(text), { requestApproval: 'Pay' })
    expect(await pull()).toBe(before)
    await engine.as({ role: 'owner', memberId: 'bob' }).reviewApprovalRequest({ id, body: { kind: 'approve' } })
    await api.applyApprovalRequest({ id, body: {} })
    expect(planText(await planOf(text))).toBe('no changes\n')
  })

  it('makes changes that need no approval, even when it may request approval', async () => {
    const { target, planOf, edit } = await shop()
    const text = await edit((file) => {
      file.flags.search.name = 'Find'
    })
    expect(await applyPlan(target, await planOf(text), { requestApproval: 'Find' })).toEqual({})
    expect(planText(await planOf(text))).toBe('no changes\n')
  })

  it('refuses to delete a flag that another caller has changed since the plan', async () => {
    const { api, target, planOf, edit } = await shop()
    const plan = await planOf(await edit((file) => void delete file.flags.search), { prune: true })
    await api.patchFlag({
      projectKey,
      flagKey: 'search',
      body: [{ op: 'replace', path: '/name', value: 'Find' }] as never,
    })
    await expect(applyPlan(target, plan)).rejects.toThrow('another call has changed flag search')
  })
})
