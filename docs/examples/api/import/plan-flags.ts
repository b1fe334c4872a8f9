import { applyPlan, parseProjectFile, planFlags, planText, pullFlags } from '@halyard/import'
import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()
await engine.given.project('web')
await engine.given.flag('web', 'checkout')
const target = { api: engine.as({ role: 'owner' }) }
const text = await pullFlags(target, 'web')
const file = parseProjectFile(text.replace('on: false', 'on: true'))
const plan = await planFlags(target, file)
console.log(planText(plan).split('\n')[1]?.trim()) // turned on checkout in Production
await applyPlan(target, plan)
