/** Hands the browser a CSV file as it comes. */
export async function saveFile(csv: ReadableStream<Uint8Array> | string, name: string): Promise<void> {
  const blob = await new Response(csv as ReadableStream<Uint8Array<ArrayBuffer>> | string, {
    headers: { 'Content-Type': 'text/csv' },
  }).blob();
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\p{L}\p{N}. _-]/gu, '-');
  link.click();
  URL.revokeObjectURL(url);
}
