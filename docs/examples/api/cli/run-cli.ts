import { PassThrough } from 'node:stream'
import { runCli } from '@halyard/cli'

const { env, stdin, stdout } = process
const stderr = new PassThrough()
const { signal } = new AbortController()
const code = await runCli(['unknown-command'], { env, stdin, stdout, stderr, signal })
console.log(code) // 2
