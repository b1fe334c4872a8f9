/** The storage that the guide to adapters makes keeps all that the port promises. */
import '../docs/examples/adapter/file-storage.test.ts'
