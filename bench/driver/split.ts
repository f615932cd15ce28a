import type autocannon from 'autocannon'

/** Writes head and body of each request separately, as many clients do. */
export function sendInTwo(client: autocannon.Client): void {
  const wholeRequest = client.getRequestBuffer.bind(client)
  // autocannon writes the returned buffer.
  client.getRequestBuffer = () => {
    const [head, body] = headAndBody(wholeRequest())
    // Nagle's algorithm would delay the body until the head is acknowledged.
    client.conn.setNoDelay(true)
    if (body.length > 0) client.conn.write(head)
    return body.length > 0 ? body : head
  }
}

export function headAndBody(request: Buffer): [Buffer, Buffer] {
  const bodyAt = request.indexOf('\r\n\r\n') + 4
  return [request.subarray(0, bodyAt), request.subarray(bodyAt)]
}
