import type { Words } from '../texts.ts';

export const common: Words['common'] = {
  cancel: 'Batal',
  close: 'Tutup',
  save: 'Simpan',
  saved: 'Tersimpan',
  delete: 'Hapus',
  back: 'Kembali',
  more: 'Lainnya',
  copy: 'Salin',
  copied: 'Tersalin',
  tryAgain: 'Coba lagi',
  loading: 'Memuat',
  loadMore: 'Tampilkan lagi',
  none: 'Tidak ada',
  never: 'Belum pernah',
  utc: '{time} UTC',
  noSuchPage: 'Halaman ini tidak ada',
  noSuchPageLead: 'Alamatnya mungkin salah ketik, atau yang ditampilkannya sudah dihapus.',
  toOverview: 'Ke ringkasan',
  typeToConfirm: 'Ketik {word} untuk konfirmasi',
};
