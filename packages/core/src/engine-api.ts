import type { AnonymousOperation, CallInput, CallResponse, Operation } from './operation/operation.ts'
import type { CallOptions } from './pipeline/call-in-process.ts'
import type { OperationOfEngine } from './resources/all-resources.ts'

/** The functions of an engine by operation id. Each takes the operation's input, and options that may be left out. */
export type Calls<Options, O extends Operation = OperationOfEngine> = {
  readonly [Each in O as Each['id']]: Record<never, never> extends CallInput<Each>
    ? (input?: CallInput<Each>, options?: Options) => Promise<CallResponse<Each>>
    : (input: CallInput<Each>, options?: Options) => Promise<CallResponse<Each>>
}

/** Every operation as a function: `api.getTeam({ teamKey }, { as })`. */
export type ApiOf<O extends Operation> = {
  readonly [Each in O as Each['id']]: Each extends AnonymousOperation
    ? (input: CallInput<Each>, options?: Partial<CallOptions>) => Promise<CallResponse<Each>>
    : (input: CallInput<Each>, options: CallOptions) => Promise<CallResponse<Each>>
}

/** Every operation as a function of one caller: `engine.as(token).getTeam({ teamKey })`. */
export type BoundApiOf<O extends Operation> = Calls<Omit<CallOptions, 'as'>, O>

/** The functions of an engine that has every operation. */
export type Api = ApiOf<OperationOfEngine>

/** The functions of an engine with every operation, for one caller. A client has the same functions. */
export type BoundApi = BoundApiOf<OperationOfEngine>
