export type { Terminal } from './command.ts'
export { runCli } from './run-cli.ts'
