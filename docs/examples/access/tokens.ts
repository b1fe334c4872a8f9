import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const { api } = engine
await engine.migrate()

// #region first
const bootstrapResult = await engine.bootstrap({ token: process.env.HALYARD_TOKEN })
const as = bootstrapResult?.token ?? ''
// #endregion

await api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'New checkout' } }, { as })

// #region service
const deployer = await api.createToken(
  {
    body: {
      name: 'deployments of the web shop',
      serviceToken: true,
      inlineRole: [
        { effect: 'allow', actions: ['viewProject'], resources: ['proj/web'] },
        { effect: 'allow', actions: ['updateOn'], resources: ['proj/web:env/*:flag/*'] },
        { effect: 'deny', actions: ['*'], resources: ['proj/web:env/production:flag/*'] },
      ],
    },
  },
  { as },
)
console.log(deployer.token.length > 32, (await api.getToken({ id: deployer._id }, { as })).token.length)
// #endregion

// #region used
const turnOn = (environmentKey: string) => ({
  projectKey: 'web',
  flagKey: 'checkout',
  body: { environmentKey, instructions: [{ kind: 'turnFlagOn' as const }] },
})
await api.patchFlag(turnOn('test'), { as: deployer.token })
await api
  .patchFlag(turnOn('production'), { as: deployer.token })
  .catch((error) => console.log(error.status, error.code))
// #endregion

// #region explain
const explanation = await engine.explain({
  as: deployer.token,
  action: 'updateOn',
  resource: 'proj/web:env/production:flag/checkout',
})
console.log(explanation.allowed, explanation.text)
// #endregion

// #region retire
const { token } = await api.resetToken({ id: deployer._id }, { as })
await api.patchFlag(turnOn('test'), { as: deployer.token }).catch((error) => console.log(error.status, error.code))
await api.deleteToken({ id: deployer._id }, { as })
await api.patchFlag(turnOn('test'), { as: token }).catch((error) => console.log(error.status, error.code))
// #endregion

// #region addresses
await api.createIpAllowlistEntry({ body: { ipAddress: '198.51.100.0/24', description: 'Office' } }, { as })
await api.createIpAllowlistEntry({ body: { ipAddress: '2001:db8:7::/48', description: 'VPN' } }, { as })
const allowlist = await api.patchIpAllowlistConfig({ body: { apiTokenAllowlistEnabled: true } }, { as })
console.log(allowlist.entries.length, allowlist.apiTokenAllowlistEnabled)
// #endregion

await engine.close()
