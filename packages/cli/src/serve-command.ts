import type { Command } from './command.ts'
import { describeOptions } from './options.ts'
import { serve } from './serve.ts'
import { readServeOptions, serveDeclarations } from './serve-options.ts'

/** The command that serves the API. It imports nothing of the other commands, so that a server starts soon. */
export const serveCommand: Command = {
  usage: 'serve [options]',
  summary: 'serve the management API over HTTP',
  options: describeOptions(serveDeclarations),
  run: (args, terminal) => serve(readServeOptions(args, terminal.env), terminal),
}
