// Loaded first into every child: its standard input closes when its parent ends, however that ends.
process.stdin
  .on('end', () => process.exit())
  .resume()
  // Of its own it keeps nobody alive.
  .unref?.()
