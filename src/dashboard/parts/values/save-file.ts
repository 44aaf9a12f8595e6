/** Hands the browser a file as it comes. */
export async function saveFile(stream: ReadableStream<Uint8Array>, name: string): Promise<void> {
  const blob = await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: { 'Content-Type': 'text/csv' },
  }).blob();
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\p{L}\p{N}. _-]/gu, '-');
  link.click();
  URL.revokeObjectURL(url);
}
