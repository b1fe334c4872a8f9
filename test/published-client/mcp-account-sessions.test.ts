import { describe, expect, it } from 'vitest'
import { openMcpSession } from './mcp-session.ts'
import { openMcpSteps } from './mcp-steps.ts'

const hunk = { startingLineNumber: 1, lines: "isOn('f')", projKey: 'shop', flagKey: 'f' }

describe('a session of the published MCP server', () => {
  it('reads code references of each provider', async () => {
    const steps = await openMcpSteps()
    const { send } = steps.session
    for (const type of ['bitbucket', 'custom', 'github', 'gitlab']) {
      const links = { sourceLink: 'https://x.test/r', commitUrlTemplate: 'https://x.test/${sha}' }
      await send('POST', '/code-refs/repositories', { name: type, type, ...(type === 'custom' ? {} : links) })
    }
    const references = [
      { path: 'a.ts', hint: 'typescript', hunks: [hunk, { ...hunk, aliases: ['x'], startingLineNumber: 0 }] },
      { path: 'b.ts', hunks: [{ startingLineNumber: 9, projKey: 'shop', flagKey: 'g' }] },
    ]
    const scan = { head: 'a94a8fe', syncTime: 1_700_000_000_000, references }
    await send('PUT', '/code-refs/repositories/github/branches/main', { name: 'main', updateSequenceId: 3, ...scan })
    await send('PUT', '/code-refs/repositories/github/branches/next', { name: 'next', commitTime: 1, ...scan })
    await send('PATCH', '/code-refs/repositories/gitlab', [{ op: 'replace', path: '/enabled', value: false }])
    const values = { withBranches: '1', withReferencesForDefaultBranch: 'true', projKey: 'shop', flagKey: 'f' }
    const names = Object.keys(values)
    for (let chosen = 0; chosen < 1 << names.length; chosen++) {
      const entries = Object.entries(values).filter((_, index) => chosen & (1 << index))
      await steps.step('get-code-references', Object.fromEntries(entries))
    }
    interface Repositories {
      readonly items: { name: string; branches?: { references?: { hunks: unknown[] }[] }[] }[]
    }
    const { items } = await steps.step<Repositories>('get-code-references', { flagKey: 'f' })
    const [main, next] = items.find(({ name }) => name === 'github')?.branches ?? []
    expect([main?.references?.map(({ hunks }) => hunks.length), next?.references]).toEqual([[2], undefined])
    steps.expectSuccess()
  })

  it('reads entries of the audit log about resources of each kind', async () => {
    const steps = await openMcpSteps()
    const { send } = steps.session
    await send('POST', '/teams', { key: 'core', name: 'Core' })
    await send('POST', '/members', [{ email: 'bob@example.com', role: 'reader', teamKeys: ['core'] }])
    await send('POST', '/tokens', { name: 'Service', role: 'reader', serviceToken: true })
    await send('POST', '/webhooks', { url: 'https://x.test/hook', sign: true, on: true })
    await send('POST', '/roles', { key: 'editor', name: 'Editor', policy: [] })
    await send('POST', '/flags/shop', { key: 'f', name: 'F', isFlagOn: true })
    await send('POST', '/segments/shop/test', { key: 's', name: 'S' })
    await send('PATCH', '/projects/shop', [{ op: 'replace', path: '/name', value: 'Shop 2' }])
    await send('PATCH', '/flags/shop/f', { comment: 'why', patch: [{ op: 'replace', path: '/name', value: 'F 2' }] })
    await send('POST', '/projects/shop/ai-configs', { key: 'chat', name: 'Chat' })
    await send('POST', '/metrics/shop', { key: 'm', name: 'M', kind: 'custom', eventKey: 'bought' })
    await send('DELETE', '/flags/shop/f')
    const specifiers = [
      ...['proj/*', 'proj/shop', 'proj/*:env/*:flag/*', 'proj/shop:env/production:flag/f', 'proj/shop:env/*:segment/*'],
      ...['proj/*:aiconfig/*', 'proj/*:metric/*', 'member/*', 'team/core', 'role/*', 'webhook/*', 'acct'],
      ...['proj/*:env/*:flag/*,team/*', 'service-token/*', 'code-reference-repository/*', 'proj/*:env/*'],
    ]
    const requests = [
      ...[
        {},
        { limit: 1 },
        { limit: 20 },
        { before: Date.now() + 1 },
        { after: 0 },
        { before: 1, after: 0 },
        { q: 'f' },
      ],
      ...specifiers.flatMap((spec) => [{ spec }, { spec, limit: 2, after: 1 }]),
      { spec: 'proj/*', q: 'shop', before: Date.now() + 1, after: 1, limit: 3 },
    ]
    for (const request of requests) await steps.step('get-audit-log-entries', request)
    const { items } = await steps.step<{ items: unknown[] }>('get-audit-log-entries', { limit: 20 })
    expect(items.length).toBeGreaterThan(12)
    steps.expectSuccess()
    expect(steps.count()).toBeGreaterThan(35)
  })

  it('reports the message of each refusal', async () => {
    const { call, send } = await openMcpSession({ clock: () => 1_700_000_000_000, rateLimit: { route: 20 } })
    await send('POST', '/projects', { key: 'shop', name: 'Shop' })
    await send('POST', '/flags/shop', { key: 'f', name: 'F' })
    const flag = { projectKey: 'shop', featureFlagKey: 'f' }
    const missing = { projectKey: 'shop', featureFlagKey: 'none', configKey: 'none', variationKey: 'none' }
    const patchOf = (path: string, value: unknown) => ({
      PatchWithComment: { patch: [{ op: 'replace', path, value }] },
    })
    const failures: readonly (readonly [tool: string, request: object, message: string])[] = [
      ['create-feature-flag', { ...flag, FeatureFlagBody: { key: 'f', name: 'F' } }, 'There is a flag f already'],
      ['create-feature-flag', { ...flag, FeatureFlagBody: { key: '-', name: 'F' } }, 'validation failed'],
      ['create-feature-flag', { projectKey: 'none', FeatureFlagBody: { key: 'f', name: 'F' } }, 'API error occurred'],
      ['update-feature-flag', { ...flag, ...patchOf('/key', 'g') }, 'validation failed'],
      ['list-feature-flags', { projectKey: 'shop', sort: 'none' }, 'validation failed'],
      ['list-feature-flags', { projectKey: 'none' }, 'Invalid resource identifier'],
      ['get-environments', { projectKey: 'none' }, 'Invalid resource identifier'],
      ...['get-feature-flag', 'delete-feature-flag', 'get-flag-status-across-environments'].map(
        (tool) => [tool, missing, 'Invalid resource identifier'] as const,
      ),
      ...['get-ai-config', 'delete-ai-config', 'get-ai-config-targeting', 'get-ai-config-variation'].map(
        (tool) => [tool, missing, 'Invalid resource identifier'] as const,
      ),
    ]
    for (const [tool, request, message] of failures) {
      const result = await call(tool, request)
      expect([tool, result.ok, result.message]).toEqual([tool, false, expect.stringContaining(message)])
    }
    const results = []
    for (let i = 0; i < 21; i++) results.push(await call('get-audit-log-entries', {}))
    expect(results.map(({ ok }) => ok)).toEqual([...Array(20).fill(true), false])
    expect(results.at(-1)?.message).toContain('rate limit')
  })

  it('reports that the token is invalid, or lacks the right', async () => {
    const invalid = await openMcpSession({}, 'api-none')
    for (const [tool, request] of readRequests) {
      expect([tool, (await invalid.call(tool, request)).message]).toEqual([tool, expect.stringMatching(/token|401/)])
    }
  })
})

const readRequests = [
  ['list-feature-flags', { projectKey: 'shop' }],
  ['get-feature-flag', { projectKey: 'shop', featureFlagKey: 'f' }],
  ['get-environments', { projectKey: 'shop' }],
  ['get-audit-log-entries', {}],
  ['get-code-references', {}],
  ['list-ai-configs', { projectKey: 'shop' }],
  ['get-ai-config', { projectKey: 'shop', configKey: 'c' }],
] as const
