import assert from 'node:assert/strict'
import test, { beforeEach } from 'node:test'
import { createTestEngine } from '@halyard/testing'
import { developer } from './policies.ts'

// #region engine
const engine = await createTestEngine()
await engine.given.project('shop')
await engine.given.flag('shop', 'checkout')
await engine.given.flag('shop', 'billing-vat')
await engine.given.role('developer', developer.policy)
const { token } = await engine.given.token({ customRoleIds: ['developer'] })
const initialState = engine.save()

beforeEach(() => engine.restore(initialState))

const turnOn = (flagKey: string) =>
  engine.api.patchFlag(
    { projectKey: 'shop', flagKey, body: [{ op: 'replace', path: '/environments/production/on', value: true }] },
    { as: token },
  )

test('a developer turns a flag on', async () => {
  const flag = await turnOn('checkout')
  assert.equal(flag.environments?.production?.on, true)
})

test('a developer cannot change billing flags', async () => {
  await assert.rejects(turnOn('billing-vat'), { code: 'forbidden', status: 403 })
})
// #endregion

// #region team
test('a member may do what the roles of the team allow', async () => {
  const ann = await engine.given.member('ann@example.com', { role: 'no_access' })
  await engine.given.team('shop-developers', { memberIDs: [ann._id], customRoleKeys: ['developer'] })
  const { token } = await engine.given.token({ role: 'admin' }, ann._id)
  const { items } = await engine.api.listProjects({}, { as: token })
  assert.equal(items[0]?.key, 'shop')
  await assert.rejects(engine.api.deleteProject({ projectKey: 'shop' }, { as: token }), { code: 'forbidden' })
})
// #endregion

// #region explain
test('the engine explains the decision', async () => {
  const { allowed, text } = await engine.explain({
    as: token,
    action: 'updateOn',
    resource: 'proj/shop:env/production:flag/billing-vat',
  })
  assert.equal(allowed, false)
  assert.match(text, /denied by statement 3 of role `developer`/)
})
// #endregion

// #region clock
test('a token that is reset with an expiry works until then', async () => {
  const created = await engine.given.token({ customRoleIds: ['developer'] })
  const expiry = engine.now() + 60_000
  await engine.api.resetToken({ id: created._id, expiry }, { as: engine.admin })
  engine.advance(59_999)
  await engine.api.listProjects({}, { as: created.token })
  engine.advance(1)
  await assert.rejects(engine.api.listProjects({}, { as: created.token }), { code: 'unauthorized' })
})
// #endregion
