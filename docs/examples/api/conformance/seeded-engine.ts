import { adminToken, seededEngine } from '@halyard/conformance'

const engine = await seededEngine()
const { items } = await engine.api.listProjects({}, { as: adminToken })
console.log(items.length) // 0
