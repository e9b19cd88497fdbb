"""PNG files of the scenes, without compression, so that their bytes do not depend on a library."""
import struct
import zlib

GREY_16 = (16, 0)  # bits per sample, and PNG's colour type
RGB_8 = (8, 2)


def png(columns, rows, lines, kind):
    """The bytes of a picture. Each of the lines, from top to bottom, is the bytes of its samples."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    raw = b"".join(b"\0" + line for line in lines)
    blocks = [raw[k:k + 65535] for k in range(0, len(raw), 65535)]
    stored = b"".join(struct.pack("<BHH", block is blocks[-1], len(block), 0xFFFF ^ len(block)) + block
                      for block in blocks)
    data = b"\x78\x01" + stored + struct.pack(">I", zlib.adler32(raw))
    header = struct.pack(">IIBBBBB", columns, rows, *kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
