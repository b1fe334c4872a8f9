import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const { api } = engine
await engine.migrate()
const as = (await engine.bootstrap())?.token ?? ''

// #region invite
const { items } = await api.createMembers({ body: [{ email: 'bea@example.com', role: 'writer' }] }, { as })
const [bea] = items
console.log(bea?._pendingInvite, bea?._invitation.href.startsWith('/invitation#'))
// #endregion

const id = bea?._id ?? ''

// #region again
const invited = await api.inviteMember({ id }, { as })
// #endregion

const { code } = invited._invitation

// #region accept
const { token } = await api.acceptInvitation({ id, body: { code } })
const laptop = await api.createToken({ body: { name: 'laptop', role: 'writer' } }, { as: token })
console.log(laptop._member?.email)
// #endregion
