import { openApiDocument, writeDocument } from '@halyard/openapi'
import { createTestEngine } from '@halyard/testing'

const { operations } = await createTestEngine()
const json = writeDocument(openApiDocument(operations, { version: '1.0.0' }))
console.log(JSON.parse(json).info.version) // 1.0.0
