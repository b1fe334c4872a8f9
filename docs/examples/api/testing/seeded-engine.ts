import { adminToken, seededEngine } from '@halyard/testing'

const engine = await seededEngine()
const { items } = await engine.api.listProjects({}, { as: adminToken })
console.log(items.length) // 0
