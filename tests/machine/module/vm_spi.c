// SPDX-License-Identifier: GPL-2.0
/*
 * SPI 0 of a Raspberry Pi in a virtual machine, with /dev/spidev0.0 and /dev/spidev0.1, which keeps what is sent.
 *
 * Nothing is connected: every byte read is 0. As in the real controller the clock is the core's, divided by an even
 * number, and so never faster than what was asked for. A test reads /dev/vm_spi, which has the transfers of chip
 * select 0 since it was read last, each a struct transfer_record followed by its bytes; an empty read: there are
 * none yet. Where nobody reads, new transfers are left out, and their numbers tell.
 */
#include <linux/cleanup.h>
#include <linux/delay.h>
#include <linux/kfifo.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>

#define CORE_HZ 500000000u
#define KEPT_BYTES (1u << 20)

struct transfer_record {
	__le64 nanoseconds; /* when it began, by the clock MONOTONIC */
	__le32 number; /* counts all transfers from 0 */
	__le32 hertz; /* of the clock, as divided */
	__le32 bits; /* in a word */
	__le32 mode; /* SPI_MODE_X_MASK, SPI_LSB_FIRST ... */
	__le32 bytes;
};

static struct kfifo kept;
static DEFINE_MUTEX(keeping);
static u32 number;

static u32 divided(u32 hertz)
{
	u32 divisor = DIV_ROUND_UP(CORE_HZ, hertz);

	return CORE_HZ / (divisor + divisor % 2);
}

static int transfer(struct spi_controller *controller, struct spi_device *device, struct spi_transfer *sent)
{
	struct transfer_record record = {
		.nanoseconds = cpu_to_le64(ktime_get_ns()),
		.hertz = cpu_to_le32(divided(sent->speed_hz)),
		.bits = cpu_to_le32(sent->bits_per_word),
		.mode = cpu_to_le32(device->mode),
		.bytes = cpu_to_le32(sent->len),
	};

	sent->effective_speed_hz = divided(sent->speed_hz);
	fsleep(div_u64(8ull * USEC_PER_SEC * sent->len, sent->effective_speed_hz));
	if (sent->rx_buf)
		memset(sent->rx_buf, 0, sent->len);
	if (!sent->tx_buf || spi_get_chipselect(device, 0))
		return 0;
	guard(mutex)(&keeping);
	record.number = cpu_to_le32(number++);
	if (kfifo_avail(&kept) < sizeof(record) + sent->len)
		return 0;
	kfifo_in(&kept, &record, sizeof(record));
	kfifo_in(&kept, sent->tx_buf, sent->len);
	return 0;
}

static ssize_t kept_read(struct file *file, char __user *into, size_t size, loff_t *place)
{
	unsigned int copied;
	int error;

	guard(mutex)(&keeping);
	error = kfifo_to_user(&kept, into, size, &copied);
	return error ? error : copied;
}

static const struct file_operations kept_operations = {
	.owner = THIS_MODULE,
	.read = kept_read,
};
static struct miscdevice kept_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "vm_spi",
	.fops = &kept_operations,
};

/* spidev takes no device by its own name; the real tree of the Raspberry Pi is patched there. */
static struct spi_board_info devices[] = {
	{ .modalias = "dh2228fv", .max_speed_hz = 125000000, .chip_select = 0 },
	{ .modalias = "dh2228fv", .max_speed_hz = 125000000, .chip_select = 1 },
};

static int spi_probe(struct platform_device *device)
{
	struct spi_controller *controller = devm_spi_alloc_host(&device->dev, 0);
	int error;

	if (!controller)
		return -ENOMEM;
	controller->bus_num = 0;
	controller->num_chipselect = 2;
	controller->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS | SPI_3WIRE;
	controller->bits_per_word_mask = SPI_BPW_MASK(8);
	controller->max_speed_hz = CORE_HZ / 2;
	controller->transfer_one = transfer;
	error = devm_spi_register_controller(&device->dev, controller);
	if (error)
		return error;
	for (int n = 0; n < ARRAY_SIZE(devices); n++)
		if (!spi_new_device(controller, &devices[n]))
			return -ENODEV;
	return 0;
}

static struct platform_driver spi_driver_of_platform = {
	.driver = { .name = "vm_spi" },
	.probe = spi_probe,
};
static struct platform_device *spi_platform;

static int __init spi_begin(void)
{
	int error = kfifo_alloc(&kept, KEPT_BYTES, GFP_KERNEL);

	if (error)
		return error;
	error = misc_register(&kept_device);
	if (error)
		goto free_kept;
	error = platform_driver_register(&spi_driver_of_platform);
	if (error)
		goto unregister_kept;
	spi_platform = platform_device_register_simple("vm_spi", PLATFORM_DEVID_NONE, NULL, 0);
	if (!IS_ERR(spi_platform))
		return 0;
	error = PTR_ERR(spi_platform);
	platform_driver_unregister(&spi_driver_of_platform);
unregister_kept:
	misc_deregister(&kept_device);
free_kept:
	kfifo_free(&kept);
	return error;
}

static void __exit spi_end(void)
{
	platform_device_unregister(spi_platform);
	platform_driver_unregister(&spi_driver_of_platform);
	misc_deregister(&kept_device);
	kfifo_free(&kept);
}

module_init(spi_begin);
module_exit(spi_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An SPI controller that keeps what is sent");
