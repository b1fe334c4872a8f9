import { describe, expect, it } from 'vitest'
import { createPostgresStorage } from '../postgres-storage.ts'

const pool = { connect: () => Promise.reject(new Error('must not be called')) }

describe('the name of a schema', () => {
  it.each(['halyard', '_a1', 'x'.repeat(40)])('may be %s', (schema) => {
    expect(createPostgresStorage({ pool, schema }).name).toBe('postgres')
  })

  it.each(['', '1a', 'A', 'a-b', 'a"; drop table x; --', 'x'.repeat(41)])('may not be %j', (schema) => {
    expect(() => createPostgresStorage({ pool, schema })).toThrow(TypeError)
  })
})
