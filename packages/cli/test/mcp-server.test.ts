import { createRequire } from 'node:module'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it, onTestFinished } from 'vitest'
import { halyard } from './halyard-process.ts'

// The published MCP server validates each response with its own schemas. A call fails if a response does not fit its
// schema.

const token = 'api-administrator-0001'

const project = { projectKey: 'shop' }
const flag = { ...project, featureFlagKey: 'checkout' }
const config = { ...project, configKey: 'assistant' }
const agent = { ...project, configKey: 'agent' }

/** The calls of a session in their order: tool and request. */
const session: readonly (readonly [tool: string, request: object])[] = [
  ['get-environments', project],
  ['get-environments', { ...project, limit: 1, offset: 1 }],
  ['create-feature-flag', { ...project, FeatureFlagBody: { key: 'checkout', name: 'Checkout', tags: ['web'] } }],
  [
    'create-feature-flag',
    {
      ...project,
      FeatureFlagBody: {
        key: 'theme',
        name: 'Theme',
        description: 'Colors of the page',
        temporary: false,
        clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: false },
        variations: [
          { value: 'light', name: 'Light' },
          { value: 'dark', name: 'Dark' },
        ],
        defaults: { onVariation: 0, offVariation: 1 },
      },
    },
  ],
  ['create-feature-flag', { ...project, FeatureFlagBody: { key: 'banner', name: 'Banner', isFlagOn: true } }],
  ['list-feature-flags', project],
  ['list-feature-flags', { ...project, sort: 'type,-name', filter: 'hasExperiment:false', expand: 'codeReferences' }],
  ['list-feature-flags', { ...project, env: 'test', limit: 1, offset: 1, summary: false, sort: 'key' }],
  ['get-feature-flag', flag],
  ['get-feature-flag', { ...flag, env: 'test', expand: 'evaluation' }],
  ['get-flag-status-across-environments', flag],
  [
    'update-feature-flag',
    {
      ...flag,
      PatchWithComment: {
        comment: 'Release',
        patch: [
          { op: 'replace', path: '/environments/production/on', value: true },
          { op: 'replace', path: '/description', value: 'The new page' },
          { op: 'add', path: '/environments/test/targets/0', value: { values: ['ann'], variation: 1 } },
        ],
      },
    },
  ],
  ['get-feature-flag', { ...flag, env: 'production' }],
  ['create-ai-config', { ...project, AIConfigPost: { key: 'assistant', name: 'Assistant', mode: 'completion' } }],
  ['create-ai-config', { ...project, AIConfigPost: { key: 'agent', name: 'Agent', mode: 'agent' } }],
  [
    'create-ai-config-variation',
    {
      ...config,
      AIConfigVariationPost: {
        key: 'short',
        name: 'Short',
        messages: [{ role: 'system', content: 'Answer in one sentence.' }],
        model: { modelName: 'small', parameters: { temperature: 0.2 } },
      },
    },
  ],
  [
    'create-ai-config-variation',
    { ...agent, AIConfigVariationPost: { key: 'calm', name: 'Calm', instructions: 'Stay calm.', model: {} } },
  ],
  ['create-ai-config-variation', { ...config, AIConfigVariationPost: { key: 'long', name: 'Long', messages: [] } }],
  ['get-ai-config', config],
  ['get-ai-config', agent],
  ['list-ai-configs', project],
  ['list-ai-configs', { ...project, limit: 1, sort: 'key' }],
  ['get-ai-config-variation', { ...config, variationKey: 'short' }],
  ['get-ai-config-variation', { ...agent, variationKey: 'calm' }],
  ['update-ai-config', { ...config, AIConfigPatch: { name: 'Shop assistant', tags: ['shop'] } }],
  [
    'update-ai-config-variation',
    { ...config, variationKey: 'short', AIConfigVariationPatch: { name: 'Shorter', comment: 'Clearer' } },
  ],
  ['get-ai-config-targeting', config],
  [
    'update-ai-config-targeting',
    {
      ...config,
      AIConfigTargetingPatch: { environmentKey: 'test', instructions: [{ kind: 'turnFlagOn' }] },
    },
  ],
  ['get-ai-config-targeting', config],
  ['get-ai-config-targeting', { ...project, configKey: 'directed' }],
  ['get-feature-flag', { ...project, featureFlagKey: 'targeted' }],
  ['get-code-references', {}],
  ['get-environments', { ...project, sort: '-createdOn', filter: 'query:test' }],
  ['get-code-references', { withBranches: 'true', withReferencesForDefaultBranch: 'true', projKey: 'shop' }],
  ['get-audit-log-entries', {}],
  ['get-audit-log-entries', { limit: 3, q: 'checkout', spec: 'proj/shop:env/production:flag/checkout' }],
  ['delete-ai-config-variation', { ...config, variationKey: 'long' }],
  ['delete-ai-config', config],
  ['delete-feature-flag', { ...project, featureFlagKey: 'theme' }],
]

it('serve --wire reference completes a session of the published MCP server with each of its tools', async () => {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory', '--wire', 'reference'], {
    HALYARD_TOKEN: token,
  })
  const [, url = ''] = await running.printed(/Halyard serves (\S+) /)
  await createAccount(url)
  const client = await startMcpServer(url)
  const { tools } = await client.listTools()
  const failures: string[] = []
  for (const [name, request] of session) {
    const result = await client.callTool({ name, arguments: { request } })
    if (result.isError) failures.push(`${name} ${JSON.stringify(request)}: ${JSON.stringify(result.content)}`)
  }
  expect(failures).toEqual([])
  expect(new Set(session.map(([name]) => name))).toEqual(new Set(tools.map(({ name }) => name)))
})

/** Creates a flag and an AI config with every kind of target. */
async function createTargeting(send: Send): Promise<void> {
  await send('POST', '/flags/shop', { key: 'targeted', name: 'Targeted' })
  await send('POST', '/projects/shop/ai-configs', { key: 'directed', name: 'Targeted', mode: 'completion' })
  await send('POST', '/projects/shop/ai-configs/directed/variations', { key: 'short', name: 'Short', messages: [] })
  for (const path of ['/flags/shop/targeted', '/projects/shop/ai-configs/directed/targeting']) {
    const { variations } = await send<{ variations: { _id: string }[] }>('GET', path)
    const [variationId = ''] = variations.map(({ _id }) => _id)
    const clauses = [{ attribute: 'country', op: 'in', values: ['de', 1, true], negate: false }]
    const rolloutWeights = Object.fromEntries(variations.map(({ _id }, index) => [_id, index === 0 ? 100_000 : 0]))
    const instructions = [
      { kind: 'addTargets', variationId, values: ['ann'] },
      { kind: 'addTargets', variationId, values: ['acme'], contextKind: 'company' },
      { kind: 'addRule', clauses, variationId, description: 'Germany' },
      { kind: 'addRule', clauses, rolloutWeights },
      { kind: 'updateFallthroughVariationOrRollout', rolloutWeights, rolloutContextKind: 'company' },
    ]
    await send('PATCH', path, { environmentKey: 'test', instructions })
  }
}

type Send = <Body>(method: string, path: string, body?: object) => Promise<Body>

async function createAccount(url: string): Promise<void> {
  const headers = { authorization: token, 'content-type': 'application/json' }
  const send: Send = async (method, location, body) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}/api/v2${location}`, { method, headers, ...init })
    const text = await response.text()
    expect(response.ok, `${method} ${location}: ${text}`).toBe(true)
    return text === '' ? undefined : JSON.parse(text)
  }
  await send('POST', '/projects', { key: 'shop', name: 'Shop' })
  await send('POST', '/code-refs/repositories', { name: 'group/shop', type: 'custom', defaultBranch: 'main' })
  await send('PUT', '/code-refs/repositories/group%2Fshop/branches/main', {
    name: 'main',
    head: 'a94a8fe',
    syncTime: 1_700_000_000_000,
    references: [
      {
        path: '/src/shop.ts',
        hunks: [
          { startingLineNumber: 4, lines: "isOn('checkout')", projKey: 'shop', flagKey: 'checkout', aliases: [] },
        ],
      },
    ],
  })
  await createTargeting(send)
}

async function startMcpServer(url: string): Promise<Client> {
  const manifest = createRequire(import.meta.url).resolve('@launchdarkly/mcp-server/package.json')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      path.join(path.dirname(manifest), 'bin', 'mcp-server.js'),
      ...['start', '--api-key', token, '--server-url', url],
    ],
    stderr: 'ignore',
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}
